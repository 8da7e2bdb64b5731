import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { setCreditLimit } from '../../identity/keys/set-credit-limit';
import { reconcile } from '../../money/reconcile/reconcile';
import { createCountingTool } from '../testing/counting-tool';

const CALLS = 200;
const LANES = 10;
const ENV = { ...UNLIMITED_RATES, CONCURRENT_CALLS: String(2 * LANES) };

const tools = [createProbe().tool, createCountingTool().tool];
let one: Harness;
let two: Harness;
beforeAll(async () => {
  one = await startHarness({ tools, env: ENV });
  two = await startHarness({ tools, env: ENV, peer: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

it('a credit limit that is raised and lowered during 200 calls is never exceeded, and the books are exact', async () => {
  const { sql } = one.runtime;
  // Of what is spent and held, at each write by any path.
  await sql`alter table api_keys add constraint within_limit
    check (credits_used_microusd + credits_held_microusd <= credits_microusd)`;
  const person = await one.person(1_000_000n);
  const { key, keyId } = await one.addKey(person.accountId, 10n * PROBE_PRICE);
  const setLimit = (calls: number) =>
    setCreditLimit(one.runtime, createSessionActor(person), {
      id: keyId,
      credit_limit_usd: (calls * Number(PROBE_PRICE)) / 1_000_000,
    });
  const call = (n: number) => {
    const at = n % 2 ? one : two;
    // Every other one runs before it is admitted.
    at.runtime.keyStates.report(keyId, 1_000_000_000n, []);
    const [tool, skill] = n % 4 < 2 ? ['counting', 'count'] : ['probe', 'ok_paid'];
    return at.request('POST', '/v1/tools/call', { key, json: { tool, skill, input: {} } });
  };
  const outcomes: string[] = [];
  let next = 0;
  const lane = async () => {
    while (next < CALLS) {
      const { body } = await call(next++);
      outcomes.push(body.error?.code ?? body.status);
    }
  };
  let lowered = 0;
  const change = async () => {
    for (let turn = 0; outcomes.length < CALLS; turn++) {
      await expect
        .poll(() => outcomes.length, { interval: 1 })
        .toBeGreaterThanOrEqual(Math.min(CALLS, 4 * turn));
      const used = outcomes.filter((each) => each === 'success').length;
      // Up by some calls, then down to about what is spent: refused if that is more.
      const limit = used + (turn % 2 ? 1 : 4);
      const changed = await setLimit(limit).catch((error) => {
        if (error.code !== 'INVALID_INPUT') throw error;
        return null;
      });
      if (turn % 2 && changed) lowered++;
    }
  };
  await Promise.all([change(), ...Array.from({ length: LANES }, lane)]);

  const charged = outcomes.filter((each) => each === 'success').length;
  expect(new Set(outcomes)).toEqual(new Set(['success', 'INSUFFICIENT_CREDITS']));
  expect(lowered).toBeGreaterThan(0);
  await setLimit(charged + 3);
  const last = await Promise.all(Array.from({ length: 8 }, (_, n) => call(n)));
  expect(last.filter(({ status }) => status === 200)).toHaveLength(3);

  const [books] = await sql`
    select k.credits_used_microusd as used, k.credits_held_microusd as held, k.running,
      (select count(*)::int from usage_records u where u.key_id = k.id and u.status = 'success') as records,
      (select -sum(e.amount_microusd)::bigint from ledger_entries e where e.account_id = k.account_id and e.kind = 'call') as paid
    from api_keys k where k.id = ${keyId}`;
  const total = BigInt(charged + 3) * PROBE_PRICE;
  expect(books).toEqual({ used: total, held: 0n, running: 0, records: charged + 3, paid: total });
  expect((await reconcile(one.runtime)).differences).toEqual([]);
});
