import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { GatewayError } from '../errors/gateway-error';
import { type IdempotentRequest, type RequestLease, type RunOnceContext, runOnce } from './run-once';

let one: Harness;
let two: Harness;
let accountId: string;
beforeAll(async () => {
  one = await startHarness();
  two = await startHarness({ peer: one });
  accountId = (await one.person()).accountId;
});
afterAll(async () => {
  await two.close();
  await one.close();
});
afterEach(() => vi.useRealTimers());

interface Answer {
  n: number;
}
const context = (harness: Harness, key: string, signal?: AbortSignal): RunOnceContext => ({
  runtime: harness.runtime,
  actor: { accountId },
  idempotencyKey: key,
  reply: { headers: {} },
  signal: () => signal ?? new AbortController().signal,
});
/** Runs it once; `act` stores its response in its own transaction. */
const doOnce = (
  harness: Harness,
  key: string,
  n: number,
  {
    body = {},
    signal,
    before,
  }: { body?: object; signal?: AbortSignal; before?: () => Promise<unknown> } = {},
) =>
  runOnce<Answer>(context(harness, key, signal), { operation: 'test', body }, async (claim) => {
    await before?.();
    await harness.runtime.db.transaction((tx) =>
      (claim as RequestLease).save(tx, { status: 200, body: { n } }),
    );
    return { n };
  });
const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { open: () => open(), opened };
};
const untilWaiting = async (n: number) => {
  while (one.runtime.notices.waiting + two.runtime.notices.waiting !== n)
    await new Promise((done) => setTimeout(done, 5));
};
const readRecord = async (key: string) => {
  const [row] = await one.runtime
    .sql`select * from idempotency_keys where account_id = ${accountId} and key = ${key}`;
  return row;
};
const age = (key: string, seconds: number) =>
  one.runtime
    .sql`update idempotency_keys set lease_expires_at = lease_expires_at - make_interval(secs => ${seconds}::int),
    finished_at = finished_at - make_interval(secs => ${seconds}::int) where key = ${key}`;

describe('a request that is sent again', () => {
  it('runs once: concurrent requests in any process get the first response', async () => {
    const key = newId('request');
    const { open, opened } = gate();
    const first = doOnce(one, key, 1, { before: () => opened });
    while (!(await readRecord(key))) await new Promise((done) => setTimeout(done, 5));
    const later = [2, 3, 4].flatMap((n) => [doOnce(one, key, n), doOnce(two, key, n + 10)]);
    await untilWaiting(6);
    open();
    expect(await first).toEqual({ n: 1 });
    expect(await Promise.all(later)).toEqual(Array(6).fill({ n: 1 }));
    expect(await doOnce(two, key, 9)).toEqual({ n: 1 });
  });

  it('is rejected with another body or operation, during the first run and after it', async () => {
    const key = newId('request');
    const { open, opened } = gate();
    const first = doOnce(one, key, 1, { body: { a: 1 }, before: () => opened });
    while (!(await readRecord(key))) await new Promise((done) => setTimeout(done, 5));
    await expect(doOnce(two, key, 2, { body: { a: 2 } })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
    open();
    await first;
    await expect(doOnce(two, key, 2, { body: { a: 2 } })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
    const other: IdempotentRequest = { operation: 'another', body: { a: 1 } };
    await expect(runOnce(context(one, key), other, async () => ({}))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
  });

  it('is another request if sent by another account', async () => {
    const key = newId('request');
    await doOnce(one, key, 1);
    const outsider = { ...context(one, key), actor: { accountId: (await one.person()).accountId } };
    expect(await runOnce(outsider, { operation: 'test', body: {} }, async () => ({ n: 2 }))).toEqual({
      n: 2,
    });
  });

  it('runs after a refusal: each of the waiting requests gets its turn', async () => {
    const key = newId('request');
    const { open, opened } = gate();
    let turns = 0;
    const refused = (harness: Harness) =>
      doOnce(harness, key, 0, {
        before: async () => {
          turns++;
          await opened;
          throw new GatewayError('INSUFFICIENT_CREDITS');
        },
      });
    const asked = [one, two, one, two, one].map((harness) => refused(harness).catch((error) => error.code));
    await untilWaiting(4);
    expect(turns).toBe(1);
    open();
    expect(await Promise.all(asked)).toEqual(Array(5).fill('INSUFFICIENT_CREDITS'));
    expect(turns).toBe(5);
    expect(await doOnce(two, key, 6)).toEqual({ n: 6 });
  });

  it('is not stored if nothing was started or stored', async () => {
    const key = newId('request');
    const ask = (n: number) =>
      runOnce(context(one, key), { operation: 'test', body: {} }, async () => ({ n }));
    expect([await ask(1), await ask(2)]).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('is a new request only after a day', async () => {
    const key = newId('request');
    await doOnce(one, key, 1);
    await age(key, 24 * 3600 - 60);
    expect(await doOnce(two, key, 2)).toEqual({ n: 1 });
    await age(key, 120);
    expect(await doOnce(two, key, 3, { body: { other: true } })).toEqual({ n: 3 });
  });

  it('expires a batch with its elements, even if their responses are newer', async () => {
    const key = newId('request');
    const element = (n: number) =>
      runOnce<Answer>(context(one, key), { operation: 'element', body: {}, part: 1 }, async (claim) => {
        await claim?.save(one.runtime.db, { status: 200, body: { n } });
        return { n };
      });
    await doOnce(one, key, 1);
    await element(1);
    await one.runtime.sql`update idempotency_keys set finished_at = finished_at - interval '25 hours'
      where key = ${key} and part = 0`;
    await doOnce(one, key, 2);
    expect(await element(2)).toEqual({ n: 2 });
  });
});

describe('a request that waits for another', () => {
  it('gets IDEMPOTENCY_IN_PROGRESS after thirty seconds', async () => {
    const key = newId('request');
    const { open, opened } = gate();
    const first = doOnce(one, key, 1, { before: () => opened });
    while (!(await readRecord(key))) await new Promise((done) => setTimeout(done, 5));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    let failure: unknown;
    const waiter = doOnce(one, key, 2).catch((error) => {
      failure = error;
    });
    const query = () => one.runtime.sql`select 1`;
    while (one.runtime.notices.waiting === 0) await query();
    for (let waited = 0; waited < 29_500; waited += 500) {
      await vi.advanceTimersByTimeAsync(500);
      // Time for a query of the waiting request.
      for (let i = 0; i < 3; i++) await query();
    }
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    // The clock is stopped: only the timeout can end the wait.
    while (failure === undefined) await query();
    await waiter;
    expect(failure).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', details: { retry_after: 5 } });
    vi.useRealTimers();
    open();
    await first;
  });

  it('stops waiting when its client disconnects', async () => {
    const key = newId('request');
    const { open, opened } = gate();
    const first = doOnce(one, key, 1, { before: () => opened });
    while (!(await readRecord(key))) await new Promise((done) => setTimeout(done, 5));
    const leaving = new AbortController();
    const waiter = doOnce(one, key, 2, { signal: leaving.signal });
    waiter.catch(() => undefined);
    await untilWaiting(1);
    leaving.abort();
    await expect(waiter).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
    expect(one.runtime.notices.waiting).toBe(0);
    open();
    await first;
  });
});

describe('a process that dies', () => {
  it('before it started anything, leaves the request to the next one once its lease expires', async () => {
    const key = newId('request');
    // Never resolves, as if the process had been killed.
    void doOnce(one, key, 1, { before: () => new Promise(() => undefined) });
    while (!(await readRecord(key))) await new Promise((done) => setTimeout(done, 5));
    await age(key, 91);
    await expect(doOnce(two, key, 2, { body: { other: true } })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
    expect(await doOnce(two, key, 2)).toEqual({ n: 2 });
  });

  it('blocks its key for at most a day without another request', async () => {
    const key = newId('request');
    void doOnce(one, key, 1, { before: () => new Promise(() => undefined) });
    while (!(await readRecord(key))) await new Promise((done) => setTimeout(done, 5));
    await age(key, 25 * 3600);
    expect(await doOnce(two, key, 2, { body: { other: true } })).toEqual({ n: 2 });
  });

  it('but only seemed dead, does not run twice: its transaction is rolled back', async () => {
    const key = newId('request');
    const { open, opened } = gate();
    const work: string[] = [];
    const slow = runOnce<Answer>(context(one, key), { operation: 'test', body: {} }, async (claim) => {
      await opened;
      expect(await claim?.save(one.runtime.db, { status: 200, body: { n: 1 } })).toBe(false);
      work.push('slow lost its record');
      throw new GatewayError('IDEMPOTENCY_IN_PROGRESS');
    });
    while (!(await readRecord(key))) await new Promise((done) => setTimeout(done, 5));
    const { fence } = (await readRecord(key)) as { fence: string };
    await age(key, 91);
    const { open: openSecond, opened: secondOpened } = gate();
    const taker = doOnce(two, key, 2, { before: () => secondOpened });
    while ((await readRecord(key))?.fence === fence) await new Promise((done) => setTimeout(done, 5));
    open();
    await expect(slow).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
    // The slow run no longer owns the record that it releases.
    expect(await readRecord(key)).toMatchObject({ finished_at: null });
    openSecond();
    expect(await taker).toEqual({ n: 2 });
    expect(await doOnce(one, key, 3)).toEqual({ n: 2 });
    expect(work).toEqual(['slow lost its record']);
  });

  it('keeps its lease while it is alive, however long the request takes', async () => {
    const quick = await startHarness({ peer: one, env: { LEASE_SECONDS: '6' } });
    const key = newId('request');
    const { open, opened } = gate();
    const first = doOnce(quick, key, 1, { before: () => opened });
    while (!(await readRecord(key))) await new Promise((done) => setTimeout(done, 5));
    const leaseAtFirst = (await readRecord(key))?.lease_expires_at;
    while ((await readRecord(key))?.lease_expires_at === leaseAtFirst)
      await new Promise((done) => setTimeout(done, 50));
    open();
    await first;
    await quick.close();
  });
});
