import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { getNearLimits } from './get-near-limits';
import { MAX_NEAR_LIMITS } from './limits';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const sql = () => harness.runtime.sql;
const list = (person: { userId: string; accountId: string }, billing?: string) =>
  getNearLimits(harness.runtime, createSessionActor(person), billing);

it('lists limits of the account and its keys from 80% on, the fullest first, and no ended period', async () => {
  const person = await harness.person(1_000_000n);
  expect(await list(person)).toEqual({ limits: [], left_out: 0 });
  const addKey = async (name: string, spent: number, since: string, revoked = false) => {
    const { keyId } = await harness.addKey(person.accountId);
    await sql()`update api_keys set name = ${name}, spend_limit_microusd = 1000000, spend_ceiling_microusd = 1000000,
      spend_period = 'day', spend_since = ${since}::timestamptz, spend_microusd = ${spent},
      revoked_at = case when ${revoked} then now() end where id = ${keyId}`;
  };
  const now = new Date().toISOString();
  await addKey('below', 799_999, now);
  await addKey('near', 800_000, now);
  await addKey('full', 1_000_000, now);
  await addKey('of yesterday', 1_000_000, '2020-01-01T12:00:00Z');
  await addKey('revoked', 1_000_000, now, true);
  await sql()`update accounts set budget_limit_microusd = 1000000, month_spent_microusd = 900000,
    month_start = date_trunc('month', now() at time zone 'UTC')::date where id = ${person.accountId}`;
  await sql()`update api_keys set credits_microusd = 100000, credits_used_microusd = 95000 where id = ${person.keyId}`;
  const { limits, left_out: leftOut } = await list(person);
  expect(leftOut).toBe(0);
  expect(limits).toMatchObject([
    { kind: 'key', name: 'full', period: 'day', spent_usd: 1, limit_usd: 1 },
    { kind: 'key', key_id: person.keyId, period: null, spent_usd: 0.095, limit_usd: 0.1, resets_at: null },
    { kind: 'account', name: null, period: 'month', spent_usd: 0.9, limit_usd: 1 },
    { kind: 'key', name: 'near', period: 'day', spent_usd: 0.8, limit_usd: 1 },
  ]);
  for (let n = 0; n < 3; n++) await addKey(`more ${n}`, 990_000, now);
  const more = await list(person);
  expect([more.limits.length, more.left_out]).toEqual([MAX_NEAR_LIMITS, 2]);
});

it('shows a member their own limit in a team, and nobody else’s', async () => {
  const [owner, member] = [await harness.person(), await harness.person()];
  const teamId = await harness.team(owner.userId, 'near', 0n);
  await sql()`insert into memberships (account_id, user_id, role, spend_limit_microusd, spend_microusd, spend_since,
    spend_ceiling_microusd) values (${teamId}, ${member.userId}, 'member', 1000000, 950000, now(), 1000000)`;
  expect(await list(member, 'near')).toMatchObject({
    limits: [{ kind: 'member', key_id: null, period: 'month', spent_usd: 0.95, limit_usd: 1 }],
  });
  expect((await list(owner, 'near')).limits).toEqual([]);
  await expect(list(await harness.person(), 'near')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
