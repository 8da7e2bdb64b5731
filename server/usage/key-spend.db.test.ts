import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { getKeySpend } from './get-key-spend';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

async function spend(key: string, usd: number, billing?: string): Promise<void> {
  const json = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: usd }, billing };
  expect((await harness.request('POST', '/v1/tools/call', { key, json })).status).toBe(200);
}

it('sums what each key of an account spent in a period, also of a team that it charged', async () => {
  const person = await harness.person(5_000_000n);
  const other = await harness.addKey(person.accountId);
  const teamId = await harness.team(person.userId, 'spent', 5_000_000n);
  const ofTeam = await harness.addKey(teamId);
  await spend(person.key, 0.25);
  await spend(person.key, 0.5, 'spent');
  await spend(ofTeam.key, 0.125);
  const read = async (billing?: string) =>
    (await getKeySpend(harness.runtime, createSessionActor(person), { billing, period: '24h' })).keys;
  // A key without calls is not listed.
  expect(other.keyId).not.toBe(person.keyId);
  expect(await read()).toEqual([{ key_id: person.keyId, calls: 2, cost_usd: 0.75 }]);
  expect(await read('spent')).toEqual([{ key_id: ofTeam.keyId, calls: 1, cost_usd: 0.125 }]);
  await harness.runtime.sql`update usage_rollups set hour = hour - interval '2 days'`;
  expect(await read()).toEqual([]);
  const week = { billing: undefined, period: '7d' } as const;
  expect((await getKeySpend(harness.runtime, createSessionActor(person), week)).keys).toHaveLength(1);
});
