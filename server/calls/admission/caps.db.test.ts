import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';

const probe = createProbe();
const KEYS = 10;
let one: Harness;
let two: Harness;
beforeAll(async () => {
  one = await startHarness({ role: 'web', tools: [probe.tool] });
  two = await startHarness({ role: 'web', tools: [probe.tool], peer: one });
});
afterAll(async () => {
  expect((await reconcile(one.runtime)).differences).toEqual([]);
  await two.close();
  await one.close();
});

const paid = { tool: 'probe', skill: 'ok_paid', input: {} };
const events = { accept: 'text/event-stream' };
/**
 * Sends a call, a stream and a batch of three concurrently with one key. Returns the error code of
 * each, or `success`.
 */
async function sendAll(at: Harness, key: string): Promise<string[]> {
  const call = async () => {
    const { body } = await at.request('POST', '/v1/tools/call', { key, json: paid });
    return [body.error?.code ?? body.status];
  };
  const stream = async () => {
    const { body, text } = await at.request('POST', '/v1/tools/call', { key, json: paid, headers: events });
    return [body?.error.code ?? readEvents(text).at(-1)?.data.status];
  };
  const batch = async () => {
    const json = { calls: [paid, paid, paid] };
    const { body } = await at.request('POST', '/v1/tools/batch', {
      key,
      json,
      headers: { 'idempotency-key': newId('request') },
    });
    return body.results.map(
      (result: { status: string; error?: { code: string } }) => result.error?.code ?? result.status,
    );
  };
  return (await Promise.all([call(), stream(), batch()])).flat();
}
/** Sends fifty paid calls with ten keys concurrently, in two processes and every mode. */
async function fifty(accountId: string, credits?: bigint): Promise<string[]> {
  const keys = await Promise.all(Array.from({ length: KEYS }, () => one.addKey(accountId, credits)));
  return (await Promise.all(keys.map(({ key }, i) => sendAll(i % 2 ? one : two, key)))).flat();
}
const count = (codes: string[], code: string) => codes.filter((each) => each === code).length;
const findAccount = async (id: string) => {
  const [row] = await one.runtime.sql`select * from accounts where id = ${id}`;
  return row;
};

describe('fifty concurrent paid calls, single, streamed and in batches, over ten keys and two processes', () => {
  it('with a balance for seven run exactly seven @A1', async () => {
    const { accountId } = await one.person(7n * PROBE_PRICE + 99n);
    const codes = await fifty(accountId);
    expect([count(codes, 'success'), count(codes, 'INSUFFICIENT_CREDITS')]).toEqual([7, 43]);
    expect(await findAccount(accountId)).toMatchObject({ balance_microusd: 99n, held_microusd: 0n });
  });

  it('with room for seven under the monthly limit run exactly seven @A19', async () => {
    const { accountId } = await one.person(1_000_000n);
    await one.runtime.sql`update accounts set budget_limit_microusd = 799 where id = ${accountId}`;
    const codes = await fifty(accountId);
    expect([count(codes, 'success'), count(codes, 'SPENDING_LIMIT_EXCEEDED')]).toEqual([7, 43]);
    expect(await findAccount(accountId)).toMatchObject({ month_spent_microusd: 700n, held_microusd: 0n });
  });

  it('with an allowance for two per key run exactly two per key @A18', async () => {
    const { accountId } = await one.person(1_000_000n);
    const codes = await fifty(accountId, 299n);
    expect([count(codes, 'success'), count(codes, 'INSUFFICIENT_CREDITS')]).toEqual([20, 30]);
    const rows = await one.runtime
      .sql`select credits_used_microusd as used, credits_held_microusd as held, running
      from api_keys where account_id = ${accountId} and credits_microusd is not null`;
    expect(rows).toEqual(Array(KEYS).fill({ used: 200n, held: 0n, running: 0 }));
  });

  it('with 57 of 60 calls a minute used run three', async () => {
    const { key, keyId } = await one.person(1_000_000n);
    await one.runtime
      .sql`update api_keys set window_used[1] = 57, window_started_at[1] = now() where id = ${keyId}`;
    const codes = await sendAll(one, key);
    expect([count(codes, 'success'), count(codes, 'RATE_LIMIT_EXCEEDED')]).toEqual([3, 2]);
  });
});
