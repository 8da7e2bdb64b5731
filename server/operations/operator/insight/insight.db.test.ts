import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPricedTool } from '@/test/support/priced-tool';
import { addEndedDays } from '../../../usage/add-ended-days';
import { type OperatorPair, startOperatorPair } from '../testing/operator-pair';

let pair: OperatorPair;
beforeAll(async () => {
  pair = await startOperatorPair([createPricedTool().tool]);
});
afterAll(() => pair.close());

/** Roll-ups of an hour that many hours ago: 10 calls, of which 3 failed, one by its input. */
async function rollUp(accountId: string, keyId: string, hoursAgo: number, tool = 'priced') {
  await pair.harness.runtime.sql`
    insert into usage_rollups (account_id, hour, key_id, tool, calls, failed, refused, byok_calls, raw_cost_microusd,
      markup_microusd, latency_ms_sum)
    values (${accountId}, date_trunc('hour', now() - make_interval(hours => ${hoursAgo}::int), 'UTC'), ${keyId}, ${tool},
      10, 3, 1, 0, 2000000, 500000, 100)`;
}

it('sums all accounts but seeded ones, from hours and days alike, and compares with the period before', async () => {
  const { harness, boss } = pair;
  const { sql, db } = harness.runtime;
  const one = await harness.person();
  const teamId = await harness.team(one.userId, 'acme', 0n);
  const seeded = await harness.person();
  await sql`update api_keys set seeded = true where id = ${seeded.keyId}`;
  await rollUp(one.accountId, one.keyId, 1);
  await rollUp(one.accountId, one.keyId, 100);
  await rollUp(teamId, one.keyId, 101, 'gone');
  await rollUp(teamId, one.keyId, 102, 'gone');
  await rollUp(seeded.accountId, seeded.keyId, 2);
  await rollUp(one.accountId, one.keyId, 24 * 45);
  const read = () => boss.operator.insight({ period: '30d' });
  const before = await read();
  expect(before.totals).toMatchObject({
    calls: 40,
    failed: 8,
    revenue_usd: 10,
    provider_cost_usd: 8,
    margin_usd: 2,
  });
  expect(before.totals.sign_ups).toBeGreaterThanOrEqual(2);
  expect(before.before).toMatchObject({ calls: 10, revenue_usd: 2.5, sign_ups: 0 });
  expect(before.by_time).toHaveLength(30);
  expect(before.by_time.reduce((sum, { margin_usd }) => sum + margin_usd, 0)).toBeCloseTo(2, 9);
  expect(before.top_accounts.map(({ account_id, calls }) => [account_id, calls]).sort()).toEqual(
    [
      [one.accountId, 20],
      [teamId, 20],
    ].sort(),
  );
  expect(before.top_accounts.find(({ account_id }) => account_id === teamId)).toMatchObject({
    name: 'acme',
    note: `${one.userId}@example.test`,
  });
  expect(before.top_tools.map(({ tool }) => tool).sort()).toEqual(['gone', 'priced']);
  await db.transaction((tx) => addEndedDays(tx));
  expect(await read()).toEqual(before);
  expect((await boss.operator.insight({ period: '24h', by: 'failures' })).totals).toMatchObject({
    calls: 10,
    failed: 2,
  });
  expect((await boss.operator.insight({ period: '90d' })).totals.calls).toBe(50);
  // As the account's deletion leaves it.
  await sql`update users set email = ${`${one.userId}@deleted.invalid`} where id = ${one.userId}`;
  await sql`update accounts set name = 'Deleted account' where id = ${one.accountId}`;
  expect((await read()).top_accounts.find(({ account_id }) => account_id === one.accountId)).toMatchObject({
    name: 'Deleted account',
    note: one.accountId,
  });
});

it('counts the refused calls of all accounts by code and limit', async () => {
  const { harness, boss } = pair;
  const json = { tool: 'nothing', skill: 'run', input: {} };
  for (const { key } of [await harness.person(), await harness.person()])
    await harness.request('POST', '/v1/tools/call', { key, json });
  await harness.runtime.refusals.flush();
  const { refused, by_code: codes } = await boss.operator.refusals({ period: '24h' });
  expect(refused).toBe(2);
  expect(codes).toMatchObject([{ error_code: 'TOOL_NOT_FOUND', limit: null, refused: 2, accounts: 2 }]);
});
