import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import type { CallResult } from '../../calls/result/schema';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', tools: [probe.tool], env: { WAIT_SECONDS: '20' } });
});
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
});

type Call = [skill: string, id?: string];
const batch = (key: string, calls: readonly Call[], headers: Record<string, string>) =>
  harness.request('POST', '/v1/tools/batch', {
    key,
    json: { calls: calls.map(([skill, id = '']) => ({ tool: 'probe', skill, input: { id } })) },
    headers,
  });
const repeat = (n: number, skill: string): Call[] => Array.from({ length: n }, () => [skill]);
const ids = (n: number) => Array.from({ length: n }, () => newId('request'));
const codes = (results: CallResult[]) => results.map(({ status, error }) => error?.code ?? status);
const readKey = async (keyId: string) => {
  const [row] = await harness.runtime.sql<
    { minute_used: number; credits_used_microusd: bigint }[]
  >`select *, coalesce(window_used[1], 0) as minute_used from api_keys where id = ${keyId}`;
  if (!row) throw new Error(`There is no key ${keyId}.`);
  return row;
};

describe('a batch with an Idempotency-Key', () => {
  it('runs each call once and returns equal responses when sent twenty times at once', async () => {
    const { key, keyId } = await harness.person(1000n);
    const headers = { 'idempotency-key': newId('request') };
    const calls: Call[] = [...repeat(4, 'ok_paid'), ['fail_paid'], ['nothing']];
    const answers = await Promise.all(Array.from({ length: 20 }, () => batch(key, calls, headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(codes(answers[0]?.body.results).sort()).toEqual(
      [...Array(4).fill('success'), 'HANDLER_ERROR', 'SKILL_NOT_FOUND'].sort(),
    );
    expect(await readKey(keyId)).toMatchObject({ minute_used: 5, credits_used_microusd: 400n });
  });

  it('returns stored responses of completed elements after a crash, and runs only the rest', async () => {
    const { key, keyId } = await harness.person(1000n);
    const idempotency = newId('request');
    const [a = '', b = '', c = ''] = ids(3);
    const calls: Call[] = [
      ['ok_paid', a],
      ['fail_paid', b],
      ['wait', c],
    ];
    const headers = { 'idempotency-key': idempotency };
    const { sql } = harness.runtime;
    // Two of three calls have completed when the process is lost; the third may run again.
    const lost = batch(key, calls, headers);
    lost.catch(() => undefined);
    await probe.waitUntilStarted(a, b, c);
    while (
      (await sql`select 1 from idempotency_keys where key = ${idempotency} and finished_at is not null`)
        .length < 2
    )
      await new Promise((done) => setTimeout(done, 5));
    await sql`update calls set lease_expires_at = now() - interval '1 second' where key_id = ${keyId}`;
    await sql`update idempotency_keys set lease_expires_at = now() - interval '1 second', fence = 'gone'
      where key = ${idempotency} and part = 0`;
    await reapElsewhere(harness.runtime);
    probe.release(c);
    const { status, body } = await batch(key, calls, headers);
    expect(status).toBe(200);
    expect(codes(body.results)).toEqual(['success', 'HANDLER_ERROR', 'success']);
    expect([a, b, c].map(probe.runs)).toEqual([1, 1, 2]);
    expect((await readKey(keyId))?.credits_used_microusd).toBe(100n);
    await lost;
    expect((await batch(key, calls, headers)).body).toEqual(body);
  });

  it('waits for an element that runs in another process, and reports IDEMPOTENCY_IN_PROGRESS on timeout', async () => {
    const { key } = await harness.person();
    const idempotency = newId('request');
    const [id = ''] = ids(1);
    const headers = { 'idempotency-key': idempotency };
    const { sql } = harness.runtime;
    const lost = batch(key, [['wait', id], ['ok']], headers);
    await probe.waitUntilStarted(id);
    await sql`update idempotency_keys set lease_expires_at = now() - interval '1 second', fence = 'gone'
      where key = ${idempotency} and part = 0`;
    const again = batch(key, [['wait', id], ['ok']], headers);
    setTimeout(() => probe.release(id), 100);
    expect(codes((await again).body.results)).toEqual(['success', 'success']);
    expect(probe.runs(id)).toBe(1);
    await lost;
  });

  it('reports that another run has taken over, and returns its response from then on', async () => {
    const { key, keyId } = await harness.person(1000n);
    const idempotency = newId('request');
    const [id = ''] = ids(1);
    const headers = { 'idempotency-key': idempotency };
    const { sql } = harness.runtime;
    const lost = batch(key, [['wait_paid', id], ['ok']], headers);
    await probe.waitUntilStarted(id);
    // Simulates a run that finds the batch's lease expired, but not those of its elements.
    await sql`update idempotency_keys set fence = 'another' where key = ${idempotency} and part = 0`;
    probe.release(id);
    expect(await lost).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } } });
    await sql`update idempotency_keys set lease_expires_at = now() - interval '1 second'
      where key = ${idempotency} and part = 0`;
    const again = await batch(key, [['wait_paid', id], ['ok']], headers);
    expect(codes(again.body.results)).toEqual(['success', 'success']);
    expect((await batch(key, [['wait_paid', id], ['ok']], headers)).body).toEqual(again.body);
    expect(probe.runs(id)).toBe(1);
    expect((await readKey(keyId)).credits_used_microusd).toBe(100n);
  });

  it('may be sent again if none of its calls could start', async () => {
    const { key } = await harness.person(0n);
    const headers = { 'idempotency-key': newId('request') };
    expect(codes((await batch(key, repeat(2, 'ok_paid'), headers)).body.results)).toEqual(
      Array(2).fill('INSUFFICIENT_CREDITS'),
    );
    const again = await batch(key, repeat(2, 'ok_paid'), headers);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
  });
});
