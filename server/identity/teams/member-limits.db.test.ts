import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { reconcile } from '../../money/reconcile/reconcile';
import { getTeam } from './get-team';
import { setMemberLimit } from './member-limit';

const probe = createProbe();
let harness: Harness;
/** Another process on the same database. */
let otherProcess: Harness;
/** Above what a test runs at once: only the limit of the member refuses. */
const env = { CONCURRENT_CALLS: '50', ...UNLIMITED_RATES };
beforeAll(async () => {
  harness = await startHarness({ role: 'web', tools: [probe.tool], env });
  otherProcess = await startHarness({ tools: [probe.tool], env, peer: harness });
});
afterAll(async () => {
  await otherProcess.close();
  await harness.close();
});
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

type Person = Awaited<ReturnType<Harness['person']>>;
const sql = () => harness.runtime.sql;

/** A team with credit, its owner, an admin and a member. */
async function setUp(slug: string, credit = 100_000n) {
  const [owner, admin, member] = [await harness.person(), await harness.person(), await harness.person()];
  const teamId = await harness.team(owner.userId, slug, credit);
  for (const [person, role] of [
    [admin, 'admin'],
    [member, 'member'],
  ] as const)
    await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${person.userId}, ${role})`;
  const limit = (by: Person, limitUsd: number | null, of: Person = member) =>
    setMemberLimit(harness.runtime, createSessionActor(by), { slug, userId: of.userId, limitUsd });
  const readLimit = async () => {
    const team = await getTeam(harness.runtime, createSessionActor(admin), slug);
    return team.members.find(({ user_id }) => user_id === member.userId)?.limit;
  };
  return { owner, admin, member, teamId, slug, limit, readLimit };
}
const pay = (key: string, billing: string, skill = 'ok_paid', id = '', where = harness) =>
  where.request('POST', '/v1/tools/call', { key, json: { tool: 'probe', skill, input: { id }, billing } });
const REFUSED = { code: 'SPENDING_LIMIT_EXCEEDED', limit: 'member', billed: false };

describe('the monthly limit of a member', () => {
  it('is set by the owner and admins; only the owner limits the owner', async () => {
    const { owner, admin, member, limit, readLimit } = await setUp('who-sets');
    await expect(limit(member, 1)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(limit(await harness.person(), 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(limit(admin, 1, owner)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(limit(admin, 1, await harness.person())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await limit(admin, 0.5);
    expect(await readLimit()).toMatchObject({ amount_usd: 0.5, spent_usd: 0, left_usd: 0.5 });
    await limit(owner, null);
    expect(await readLimit()).toBeNull();
    const actions =
      await sql()`select details->>'limit_usd' as usd from audit_events where action = 'team.member_limit'
      and target = ${member.userId} order by id`;
    expect(actions.map(({ usd }) => usd)).toEqual(['0.5', null]);
  });

  it('refuses the next call of any key of the member, and of no one else; the error says who can raise it', async () => {
    const { owner, member, admin, slug, limit, readLimit } = await setUp('refuses');
    await pay(member.key, slug);
    await limit(owner, 0.0003);
    expect(await readLimit()).toMatchObject({ spent_usd: 0.0001, left_usd: 0.0002 });
    const second = await harness.addKey(member.accountId);
    expect((await pay(second.key, slug)).status).toBe(200);
    expect((await pay(member.key, slug)).status).toBe(200);
    const refused = await pay(second.key, slug);
    expect(refused.body.error).toMatchObject({ ...REFUSED, retry_after: expect.any(Number) });
    expect(refused.body.error.resolution_hint).toContain('owner or admin of the team');
    const dry = await harness.request('POST', '/v1/tools/call', {
      key: member.key,
      json: { tool: 'probe', skill: 'ok_paid', input: {}, billing: slug, dry_run: true },
    });
    expect(dry.body).toMatchObject({ valid: false, billing: { sufficient: false } });
    expect((await pay(member.key, slug, 'ok')).status).toBe(200);
    expect((await pay(admin.key, slug)).status).toBe(200);
    const { body: ofTeam } = await harness.request('POST', '/v1/keys', {
      key: owner.key,
      json: { billing: slug },
    });
    expect((await pay(ofTeam.secret, slug)).status).toBe(200);
    await limit(owner, 0.0004);
    expect((await pay(member.key, slug)).status).toBe(200);
    await limit(owner, 0.0001);
    expect(await readLimit()).toMatchObject({ amount_usd: 0.0001, spent_usd: 0.0004, left_usd: 0 });
    expect((await pay(member.key, slug)).body.error).toMatchObject(REFUSED);
  });

  it('holds while many calls run at once in two processes, in batches and queued jobs @B2', async () => {
    const { owner, member, teamId, slug, limit, readLimit } = await setUp('at-once');
    await limit(owner, 0.001);
    const keys = [
      member.key,
      ...(await Promise.all([1, 2, 3].map(() => harness.addKey(member.accountId)))).map((k) => k.key),
    ];
    const calls = Array.from({ length: 3 }, () => ({ tool: 'probe', skill: 'ok_paid', input: {} }));
    probe.release('at once');
    const answers = await Promise.all([
      ...Array.from({ length: 16 }, (_, n) =>
        pay(
          keys[n % 4] as string,
          slug,
          n % 5 === 0 ? 'queued_paid' : 'ok_paid',
          'at once',
          n % 2 ? harness : otherProcess,
        ),
      ),
      ...keys.map((key) =>
        harness.request('POST', '/v1/tools/batch', { key, json: { calls, billing: slug } }),
      ),
    ]);
    const ended = answers.flatMap(({ body }) => body.results ?? [body]);
    expect(ended.filter(({ status }) => status === 'success')).toHaveLength(10);
    for (const { error } of ended.filter((one) => one.status !== 'success'))
      expect(error).toMatchObject(REFUSED);
    expect(await readLimit()).toMatchObject({ spent_usd: 0.001, left_usd: 0 });
    const [row] = await sql()`select balance_microusd as balance from accounts where id = ${teamId}`;
    expect(row?.balance).toBe(99_000n);
  });

  it('counts what running calls hold, gives back what failed calls held, and starts again with the month', async () => {
    const { owner, member, teamId, slug, limit, readLimit } = await setUp('holds');
    const running = pay(member.key, slug, 'wait_paid', 'held');
    await probe.waitUntilStarted('held');
    await limit(owner, 0.0001);
    expect(await readLimit()).toMatchObject({ spent_usd: 0.0001, left_usd: 0 });
    expect((await pay(member.key, slug)).body.error).toMatchObject(REFUSED);
    probe.release('held');
    expect((await running).status).toBe(200);
    await limit(owner, 0.0002);
    expect((await pay(member.key, slug, 'fail_paid')).status).toBe(502);
    expect(await readLimit()).toMatchObject({ spent_usd: 0.0001, left_usd: 0.0001 });
    await sql()`update memberships set spend_since = now() - interval '32 days', spend_microusd = 200,
      spend_ceiling_microusd = 200 where account_id = ${teamId} and user_id = ${member.userId}`;
    expect(await readLimit()).toMatchObject({ spent_usd: 0, left_usd: 0.0002 });
    expect((await pay(member.key, slug)).status).toBe(200);
    expect(await readLimit()).toMatchObject({ spent_usd: 0.0001 });
  });

  it('is an invariant of the database', async () => {
    const { owner, member, teamId, limit } = await setUp('invariant');
    await limit(owner, 0.0001);
    const spend = (amount: number) => sql()`update memberships set spend_microusd = ${amount}
      where account_id = ${teamId} and user_id = ${member.userId}`;
    await expect(spend(101)).rejects.toMatchObject({ constraint_name: 'memberships_within_spend_limit' });
    await expect(spend(-1)).rejects.toMatchObject({ constraint_name: 'memberships_within_spend_limit' });
  });
});
