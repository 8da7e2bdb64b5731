import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { tools } from '../../tools/registry';
import { reconcile } from '../reconcile/reconcile';

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', tools: [...tools, probe.tool], env: UNLIMITED_RATES });
});
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
});

const fetchBalance = async (accountId: string) => {
  const [row] = await harness.runtime.sql`select balance_microusd as balance, held_microusd as held
    from accounts where id = ${accountId}`;
  return row;
};
const paid = (skill: string, id = '') => ({ tool: 'probe', skill, input: { id } });

it.each([
  ['a call', {}],
  ['a stream', { accept: 'text/event-stream' }],
])(
  'charges once a client that leaves %s and sends it again with its Idempotency-Key @A25',
  async (what, headers) => {
    const { key, accountId } = await harness.person(1_000_000n);
    const json = paid('wait_paid', what);
    const send = (signal?: AbortSignal) =>
      harness.request('POST', '/v1/tools/call', {
        key,
        json,
        headers: { ...headers, 'idempotency-key': what },
        ...(signal ? { signal } : {}),
      });
    const leaving = new AbortController();
    const left = send(leaving.signal).catch(() => null);
    await probe.waitUntilStarted(what);
    leaving.abort();
    await sleep(50);
    const again = send();
    await sleep(50);
    probe.release(what);
    expect((await again).status).toBe(200);
    await left;
    expect((await send()).status).toBe(200);
    expect(probe.runs(what)).toBe(1);
    expect(await fetchBalance(accountId)).toEqual({ balance: 1_000_000n - PROBE_PRICE, held: 0n });
  },
);

it('charges nothing for reads, reviews, failures, invalid calls and dry runs @A23 @A26', async () => {
  const { key, accountId } = await harness.person(1_000_000n);
  const ask = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
    harness.request(method, path, { key, json, headers });
  await ask('POST', '/v1/tools/call', { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } });
  const free: [number, Promise<{ status: number }>][] = [
    [200, ask('GET', '/v1/tools')],
    [200, ask('GET', '/v1/tools/search?q=image')],
    [200, ask('GET', '/v1/tools/diagnostics')],
    [200, ask('GET', '/v1/tools/diagnostics/skills')],
    [200, ask('GET', '/v1/requirements')],
    [200, ask('GET', '/v1/usage')],
    [200, ask('GET', '/v1/usage/history')],
    [200, ask('POST', '/v1/reviews', { tool: 'diagnostics', rating: 5 })],
    [200, ask('POST', '/v1/tools/call', { ...paid('ok_paid'), dry_run: true })],
    [400, ask('POST', '/v1/tools/call', { ...paid('ok_paid'), input: { id: 7 } })],
    [404, ask('POST', '/v1/tools/call', paid('no_such_skill'))],
    [502, ask('POST', '/v1/tools/call', paid('fail_paid'))],
    [200, ask('POST', '/v1/tools/batch', { calls: [paid('fail_paid'), paid('no_such_skill')] })],
  ];
  for (const [index, [status, answer]] of free.entries())
    expect((await answer).status, String(index)).toBe(status);
  expect(await fetchBalance(accountId)).toEqual({ balance: 1_000_000n, held: 0n });
});
