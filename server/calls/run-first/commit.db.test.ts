import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { reconcile } from '../../money/reconcile/reconcile';
import { COUNTING_PRICE, createCountingTool } from '../testing/counting-tool';

const counting = createCountingTool();

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [counting.tool] });
});
afterAll(() => harness.close());
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

/** As if the database had just reported on the key: its calls run before they are admitted. */
const know = (keyId: string, at = harness) => at.runtime.keyStates.report(keyId, 1_000_000_000n, []);

const call = (key: string, sent: object = {}, at = harness, headers: Record<string, string> = {}) =>
  at.request('POST', '/v1/tools/call', {
    key,
    headers,
    json: { tool: 'counting', skill: 'count', input: sent },
  });

const readTotals = async (keyId: string) =>
  (
    await harness.runtime
      .sql`select k.credits_used_microusd as used, k.running, coalesce(k.window_used[1], 0) as minute,
      (select count(*)::int from usage_records u where u.key_id = k.id) as records,
      (select count(*)::int from usage_records u where u.key_id = k.id and u.status = 'error') as failed,
      (select coalesce(sum(r.calls), 0)::int from usage_rollups r where r.key_id = k.id) as rolled,
      (select count(*)::int from ledger_entries e join usage_records u on u.id = e.ref
        where u.key_id = k.id and e.kind = 'call') as entries,
      (select count(*)::int from calls c where c.key_id = k.id) as open
      from api_keys k where k.id = ${keyId}`
  )[0];

/** Loses the response of the next commit, which is executed. */
function loseResponse(): () => void {
  const { flush } = harness.runtime;
  let lost = false;
  const commitCall: typeof flush.commitCall = async (request) => {
    const committed = await flush.commitCall(request);
    if (lost) return committed;
    lost = true;
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  Object.assign(harness.runtime, { flush: { ...flush, commitCall } });
  return () => Object.assign(harness.runtime, { flush });
}

it('a call that runs first is charged and recorded in one statement, and leaves nothing open', async () => {
  const { key, keyId } = await harness.person(1_000n);
  know(keyId);
  const first = await call(key);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ status: 'success', billed: true, usage: { cost: 0.0001 } });
  expect(first.body.usage.credits_remaining).toBe(0.0009);
  expect(first.headers['ratelimit-remaining']).toBe('59');
  const before = harness.runtime.flush.counts();
  const second = await call(key, {}, harness, { prefer: 'wait=7' });
  const after = harness.runtime.flush.counts();
  expect(second.headers['preference-applied']).toBe('wait=7');
  expect(second.headers['ratelimit-remaining']).toBe('58');
  expect(after.commit.flushes - before.commit.flushes).toBe(1);
  expect(after.admit.flushes).toBe(before.admit.flushes);
  expect(await readTotals(keyId)).toMatchObject({
    used: 200n,
    running: 0,
    minute: 2,
    records: 2,
    rolled: 2,
    entries: 2,
    open: 0,
  });
});

it('a failing call that runs first costs nothing, counts against the limits, and is recorded as failed', async () => {
  const { key, keyId } = await harness.person(1_000n);
  know(keyId);
  const failed = await call(key, { fails: true });
  expect(failed.status).toBe(502);
  expect(failed.body.error).toMatchObject({
    code: 'HANDLER_ERROR',
    message: 'It does not count.',
    billed: false,
  });
  expect(failed.headers['ratelimit-remaining']).toBe('59');
  expect(await readTotals(keyId)).toMatchObject({
    used: 0n,
    minute: 1,
    records: 1,
    failed: 1,
    rolled: 1,
    entries: 0,
  });
});

it('two hundred concurrent calls that run first in two processes spend the balance exactly', async () => {
  const { accountId } = await harness.person(50n * COUNTING_PRICE);
  const keys = await Promise.all(Array.from({ length: 60 }, () => harness.addKey(accountId)));
  const secondHarness = await startHarness({ tools: [counting.tool], peer: harness });
  for (const { keyId } of keys) for (const at of [harness, secondHarness]) know(keyId, at);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      call((keys[n % keys.length] as { key: string }).key, {}, n % 2 === 0 ? harness : secondHarness),
    ),
  );
  await secondHarness.close();
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(new Set(answers.flatMap(({ body }) => (body.error ? [body.error.code] : [])))).toEqual(
    new Set(['INSUFFICIENT_CREDITS']),
  );
  const [account] = await harness.runtime
    .sql`select balance_microusd as balance, held_microusd as held from accounts where id = ${accountId}`;
  expect(account).toEqual({ balance: 0n, held: 0n });
});

it('of fifty concurrent calls that run first with room for seven under the monthly limit seven run', async () => {
  const { accountId } = await harness.person(1_000_000n);
  await harness.runtime
    .sql`update accounts set budget_limit_microusd = ${String(8n * COUNTING_PRICE - 1n)}::bigint where id = ${accountId}`;
  const keys = await Promise.all(Array.from({ length: 10 }, () => harness.addKey(accountId)));
  for (const { keyId } of keys) know(keyId);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call((keys[n % keys.length] as { key: string }).key)),
  );
  const codes = answers.map(({ status, body }) => (status === 200 ? 'run' : body.error.code));
  expect(codes.filter((code) => code === 'run')).toHaveLength(7);
  expect(new Set(codes)).toEqual(new Set(['run', 'SPENDING_LIMIT_EXCEEDED']));
  expect((await call((keys[0] as { key: string }).key)).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
});

it('allowance, rate windows and slots of a key limit its calls that run first', async () => {
  const { accountId } = await harness.person(1_000_000n);
  const { key, keyId } = await harness.addKey(accountId, 3n * COUNTING_PRICE);
  know(keyId);
  const spent = [];
  for (let n = 0; n < 5; n++) spent.push((await call(key)).status);
  expect(spent).toEqual([200, 200, 200, 402, 402]);
  expect((await readTotals(keyId))?.used).toBe(300n);

  const windowed = await harness.addKey(accountId);
  know(windowed.keyId);
  await harness.runtime
    .sql`update api_keys set window_used[1] = 59, window_used[2] = 59, window_started_at[1] = now(),
    window_started_at[2] = now() where id = ${windowed.keyId}`;
  expect((await call(windowed.key)).status).toBe(200);
  const limited = await call(windowed.key);
  expect(limited.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'minute', billed: false });

  const busy = await harness.addKey(accountId);
  know(busy.keyId);
  await harness.runtime.sql`update api_keys set running = 5 where id = ${busy.keyId}`;
  expect((await call(busy.key)).body.error).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    limit: 'concurrency',
  });
  await harness.runtime.sql`update api_keys set running = 0 where id = ${busy.keyId}`;
});

it('a revoked key is refused, even if it is cached', async () => {
  const { key, keyId } = await harness.person(1_000n);
  know(keyId);
  expect((await call(key)).status).toBe(200);
  await harness.runtime.sql`update api_keys set revoked_at = now() where id = ${keyId}`;
  expect((await call(key)).body.error.code).toBe('AUTH_FAILED');
  expect((await readTotals(keyId))?.records).toBe(1);
});

it('a caller without funds does not affect the other calls of the group', async () => {
  const rich = await harness.person(1_000n);
  const poor = await harness.person(COUNTING_PRICE - 1n);
  for (const { keyId } of [rich, poor]) know(keyId);
  const [paid, refused] = await Promise.all([call(rich.key), call(poor.key)]);
  expect([paid?.status, refused?.status]).toEqual([200, 402]);
  const before = counting.runs();
  // Its last call was refused: the next one is decided before it runs.
  expect((await call(poor.key)).status).toBe(402);
  expect(counting.runs()).toBe(before);
});

it('a call that runs first with a lost response is answered and counted once', async () => {
  const { key, keyId } = await harness.person(1_000n);
  know(keyId);
  await call(key);
  const restore = loseResponse();
  const answer = await call(key);
  restore();
  expect(answer.status).toBe(200);
  expect(answer.body.usage).toMatchObject({ cost: 0.0001, credits_remaining: 0.0008 });
  expect(await readTotals(keyId)).toMatchObject({ used: 200n, minute: 2, records: 2, rolled: 2, entries: 2 });
});

it('a statement that is executed after its retry changes nothing', async () => {
  const { key, keyId, accountId } = await harness.person(1_000n);
  know(keyId);
  const answer = await call(key);
  const [record] = await harness.runtime.sql<{ started: number }[]>`
    select round(extract(epoch from created_at) * 1000)::float8 as started from usage_records
    where key_id = ${keyId}`;
  for (const hold of [COUNTING_PRICE, 0n]) {
    const late = harness.runtime.flush.commitCall({
      id: answer.body.id,
      keyId,
      rulesVersion: 0,
      accountId,
      tool: 'counting',
      skill: 'count',
      hold,
      markup: hold,
      raw: 0n,
      errorCode: null,
      latencyMs: 1,
      startedMs: record?.started ?? 0,
      record: null,
    });
    await expect(late).rejects.toMatchObject({ code: '23505' });
  }
  expect(await readTotals(keyId)).toMatchObject({ used: 100n, minute: 1, records: 1, rolled: 1, entries: 1 });
});

/**
 * Makes the next commit wait for the lock of its key and lose its connection; it is still executed.
 * @param noRoom the retry is rejected, because its group has too many calls of the key
 */
async function loseConnection(keyId: string, { noRoom = false } = {}) {
  const { flush, sql } = harness.runtime;
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  let holder: Promise<unknown> = Promise.resolve();
  await new Promise<void>((locked) => {
    holder = sql.begin(async (tx) => {
      await tx`select 1 from api_keys where id = ${keyId} for update`;
      locked();
      await released;
    });
  });
  const late: Promise<unknown>[] = [];
  const commitCall: typeof flush.commitCall = async (request) => {
    const committed = late.length === 1 && noRoom ? Promise.resolve(null) : flush.commitCall(request);
    late.push(committed);
    if (late.length > 1) return await committed;
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  Object.assign(harness.runtime, { flush: { ...flush, commitCall } });
  return {
    sentAgain: () => vi.waitFor(() => expect(late.length).toBeGreaterThan(1), { timeout: 20_000 }),
    async end() {
      release();
      await holder;
      // A commit that finds the record of another one is rejected.
      await Promise.allSettled(late);
      Object.assign(harness.runtime, { flush });
    },
  };
}

it('a call committed late with the last credit is answered, not refused', async () => {
  const { key, keyId } = await harness.person(COUNTING_PRICE);
  know(keyId);
  const line = await loseConnection(keyId);
  const asked = call(key);
  await line.sentAgain();
  await line.end();
  const answer = await asked;
  expect(answer.body).toMatchObject({ status: 'success', usage: { cost: 0.0001, credits_remaining: 0 } });
  expect(await readTotals(keyId)).toMatchObject({ used: 100n, minute: 1, records: 1, entries: 1, open: 0 });
});

it('a call committed late is never admitted again', async () => {
  const { key, keyId } = await harness.person(10n * COUNTING_PRICE);
  know(keyId);
  const line = await loseConnection(keyId, { noRoom: true });
  const asked = call(key);
  await line.sentAgain();
  await line.end();
  expect((await asked).body.status).toBe('success');
  expect(await readTotals(keyId)).toMatchObject({ used: 100n, minute: 1, records: 1, entries: 1, open: 0 });
});
