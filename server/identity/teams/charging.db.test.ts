import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { reconcile } from '../../money/reconcile/reconcile';
import { setFrozen } from '../accounts/freeze-account';
import { getTeam } from './get-team';
import { leaveTeam } from './leave-team';
import { listTeams } from './list-teams';
import { removeMember } from './remove-member';
import { removeTeam } from './remove-team';
import { setDefaultTeam } from './set-default-team';

const probe = createProbe();
let harness: Harness;
/** Another process on the same database, with the same keys cached. */
let peer: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [probe.tool], env: UNLIMITED_RATES });
  peer = await startHarness({ tools: [probe.tool], env: UNLIMITED_RATES, peer: harness });
});
afterAll(async () => {
  await peer.close();
  await harness.close();
});
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

type Person = Awaited<ReturnType<Harness['person']>>;
const sql = () => harness.runtime.sql;

async function join(person: Person, teamId: string) {
  await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${person.userId}, 'member')`;
}
/** A team with credit, its owner and a member. */
async function createSpenders(slug: string, credit = 100_000n) {
  const [owner, colleague] = [await harness.person(), await harness.person()];
  const teamId = await harness.team(owner.userId, slug, credit);
  await join(colleague, teamId);
  return { owner, colleague, teamId, slug };
}
const buildCall = (billing: string, skill = 'ok_paid', id = '') => ({
  tool: 'probe',
  skill,
  input: { id },
  billing,
});
const pay = (key: string, billing: string, where = harness) =>
  where.request('POST', '/v1/tools/call', { key, json: buildCall(billing) });
const fetchBalance = async (accountId: string) =>
  (await sql()`select balance_microusd as balance from accounts where id = ${accountId}`)[0]?.balance;
const remove = ({ owner, colleague, slug }: { owner: Person; colleague: Person; slug: string }) =>
  removeMember(harness.runtime, createSessionActor(owner), { slug, userId: colleague.userId });

describe('a removed member', () => {
  it('is refused at the next request in every process: call, dry run, batch, stream and balance @B2', async () => {
    const team = await createSpenders('gone');
    const { key } = team.colleague;
    for (const where of [harness, peer]) expect((await pay(key, 'gone', where)).status).toBe(200);
    await remove(team);
    for (const where of [harness, peer]) {
      const post = (target: string, json: object, headers = {}) =>
        where.request('POST', target, { key, json, headers });
      const element = { tool: 'probe', skill: 'ok_paid', input: {} };
      for (const answer of [
        await pay(key, 'gone', where),
        await where.request('POST', '/v1/tools/call', { key, json: buildCall('gone', 'ok') }),
        await pay(key, 'team', where),
        await post('/v1/tools/call', { ...buildCall('gone'), dry_run: true }),
        await post('/v1/tools/call', buildCall('gone'), { accept: 'text/event-stream' }),
        await post('/v1/tools/batch', { calls: [element, element], billing: 'gone' }),
      ]) {
        expect(answer.status).toBe(403);
        expect(answer.body.error).toMatchObject({ code: 'FORBIDDEN', billed: false });
      }
      const { body } = await where.request('GET', '/v1/billing/balance', { key });
      expect(body.accounts).toMatchObject([{ type: 'personal' }]);
    }
    expect((await listTeams(harness.runtime, createSessionActor(team.colleague))).teams).toEqual([]);
    await expect(getTeam(harness.runtime, createSessionActor(team.colleague), 'gone')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await fetchBalance(team.teamId)).toBe(100_000n - 2n * PROBE_PRICE);
  });

  it('has running jobs finished and charged to the team', async () => {
    const team = await createSpenders('jobs');
    const { key } = team.colleague;
    const started = await harness.request('POST', '/v1/tools/call', {
      key,
      json: buildCall('jobs', 'wait_paid', 'kept running'),
      headers: { prefer: 'wait=0' },
    });
    expect(started).toMatchObject({ status: 202, body: { status: 'pending' } });
    await remove(team);
    probe.release('kept running');
    const job = await harness.request('GET', `/v1/jobs/${started.body.job_id}`, { key });
    expect(job.body).toMatchObject({ status: 'completed', result: { meta: { billing: 'jobs' } } });
    expect(await fetchBalance(team.teamId)).toBe(100_000n - PROBE_PRICE);
    expect(await fetchBalance(team.colleague.accountId)).toBe(0n);
  });

  it('removed during concurrent calls: each call is charged to the team or refused, and none is charged later @B2', async () => {
    const team = await createSpenders('race', 1_000_000n);
    let removedAt = Number.POSITIVE_INFINITY;
    const answers: { status: number; askedAt: number }[] = [];
    const call = async (where: Harness) => {
      const askedAt = performance.now();
      answers.push({ status: (await pay(team.colleague.key, 'race', where)).status, askedAt });
    };
    const caller = async (where: Harness) => {
      while (performance.now() < removedAt) await call(where);
      await call(where);
    };
    const remover = async () => {
      while (answers.length < 6) await sleep(1);
      await remove(team);
      removedAt = performance.now();
    };
    await Promise.all([caller(harness), caller(peer), caller(peer), remover()]);
    const paid = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(answers.length - paid.length);
    for (const { askedAt } of paid) expect(askedAt).toBeLessThan(removedAt);
    expect(paid.length).toBeGreaterThanOrEqual(6);
    expect(await fetchBalance(team.teamId)).toBe(1_000_000n - PROBE_PRICE * BigInt(paid.length));
  });

  it('a deleted team can no longer be charged', async () => {
    const team = await createSpenders('closing', 0n);
    const free = () =>
      harness.request('POST', '/v1/tools/call', {
        key: team.colleague.key,
        json: buildCall('closing', 'ok'),
      });
    expect((await free()).status).toBe(200);
    await removeTeam(harness.runtime, createSessionActor(team.owner), 'closing');
    expect((await free()).body.error.code).toBe('FORBIDDEN');
  });
});

describe('a person outside a team', () => {
  it('who uses its slug on any route changes neither balance @B2', async () => {
    const team = await createSpenders('victim-team');
    const outsider = await harness.person(50_000n);
    const post = (target: string, json: object, headers = {}) => ['POST', target, json, headers] as const;
    const call = buildCall('victim-team');
    const { billing: _, ...element } = call;
    for (const where of [harness, peer])
      for (const [method, target, json, headers] of [
        post('/v1/tools/call', call),
        post('/v1/tools/call', buildCall('victim-team', 'ok')),
        post('/v1/tools/call', { ...call, dry_run: true }),
        post('/v1/tools/call', call, { accept: 'text/event-stream' }),
        post('/v1/tools/call', call, { prefer: 'wait=0' }),
        post('/v1/tools/call', call, { 'idempotency-key': `never ${where === harness}` }),
        post('/v1/tools/batch', { calls: [element, element], billing: 'victim-team' }),
        post('/v1/billing/machine-topup', { amount_usd: 5, billing: 'victim-team' }),
        ['PUT', '/v1/billing/preferences', { budgetLimit: 1, billing: 'victim-team' }, {}] as const,
      ]) {
        const answer = await where.request(method, target, { key: outsider.key, json, headers });
        expect([target, answer.status, answer.body.error.code]).toEqual([target, 403, 'FORBIDDEN']);
      }
    expect(await fetchBalance(team.teamId)).toBe(100_000n);
    expect(await fetchBalance(outsider.accountId)).toBe(50_000n);
    const [made] =
      await sql()`select (select count(*) from calls where account_id = ${team.teamId})::int as calls,
      (select count(*) from usage_records where account_id = ${team.teamId})::int as records,
      (select count(*) from jobs where account_id = ${outsider.accountId})::int as jobs,
      (select budget_limit_microusd from accounts where id = ${team.teamId}) as cap`;
    expect(made).toEqual({ calls: 0, records: 0, jobs: 0, cap: null });
  });
});

describe('a frozen person', () => {
  it('can neither charge nor top up a team, from the next request on, in every process', async () => {
    const team = await createSpenders('cold');
    const { key, accountId } = team.colleague;
    await sql()`update memberships set role = 'admin' where account_id = ${team.teamId}
      and user_id = ${team.colleague.userId}`;
    for (const where of [harness, peer]) expect((await pay(key, 'cold', where)).status).toBe(200);
    await setFrozen(harness.runtime, 'operator:test', { accountId, frozen: true, reason: null });
    const call = buildCall('cold');
    for (const where of [harness, peer])
      for (const [method, target, json] of [
        ['POST', '/v1/tools/call', call],
        ['POST', '/v1/tools/call', buildCall('cold', 'ok')],
        ['POST', '/v1/tools/call', { ...call, dry_run: true }],
        ['POST', '/v1/tools/batch', { calls: [{ ...call, billing: undefined }], billing: 'team' }],
        ['POST', '/v1/billing/checkout', { amount_usd: 5, billing: 'cold' }],
        ['POST', '/v1/billing/portal', { billing: 'cold' }],
        ['PUT', '/v1/billing/preferences', { budgetLimit: null, billing: 'cold' }],
        ['POST', '/v1/billing/machine-topup', { amount_usd: 5, billing: 'cold' }],
      ] as const) {
        const answer = await where.request(method, target, { key, json });
        expect(answer, target).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
        expect(answer.body.error.message).toContain('frozen');
      }
    expect(await fetchBalance(team.teamId)).toBe(100_000n - 2n * PROBE_PRICE);
    // Other members are unaffected.
    expect((await pay(team.owner.key, 'cold')).status).toBe(200);
  });
});

describe('`billing: "team"`', () => {
  it('means the only team, or the default of several, and is otherwise refused with the fix', async () => {
    const { runtime } = harness;
    const person = await harness.person();
    const one = await harness.team(person.userId, 'first-team', 10_000n);
    const charged = async (billing = 'team') => {
      const { status, body } = await pay(person.key, billing);
      return status === 200 ? body.meta.billing : `${status} ${body.error.message}`;
    };
    expect(await charged()).toBe('first-team');
    const two = await harness.team(person.userId, 'second-team', 10_000n);
    expect(await charged()).toMatch(/^403 .*name the one to charge by its slug/);
    expect(await charged('second-team')).toBe('second-team');
    await setDefaultTeam(runtime, createSessionActor(person), 'second-team');
    expect(await charged()).toBe('second-team');
    expect(await charged('first-team')).toBe('first-team');
    const dry = await harness.request('POST', '/v1/tools/call', {
      key: person.key,
      json: { ...buildCall('team'), dry_run: true },
    });
    expect(dry.body).toMatchObject({ valid: true, billing: { balance_usd: 0.0098 } });
    await setDefaultTeam(runtime, createSessionActor(person), null);
    expect(await charged()).toMatch(/^403/);
    await setDefaultTeam(runtime, createSessionActor(person), 'first-team');
    expect(await charged()).toBe('first-team');
    expect([await fetchBalance(one), await fetchBalance(two)]).toEqual([9_700n, 9_800n]);
  });

  it('ignores a default team that the person has left', async () => {
    const { runtime } = harness;
    const team = await createSpenders('left-team');
    await harness.team(team.colleague.userId, 'own-team', 10_000n);
    await setDefaultTeam(runtime, createSessionActor(team.colleague), 'left-team');
    expect((await pay(team.colleague.key, 'team')).body.meta.billing).toBe('left-team');
    await leaveTeam(runtime, createSessionActor(team.colleague), 'left-team');
    expect((await pay(team.colleague.key, 'team')).body.meta.billing).toBe('own-team');
  });
});

it('the balance lists the teams with role and balance; a team shows what each person spent', async () => {
  const team = await createSpenders('spenders');
  await pay(team.owner.key, 'spenders');
  for (let i = 0; i < 3; i++) await pay(team.colleague.key, 'spenders');
  const balance = await harness.request('GET', '/v1/billing/balance', { key: team.colleague.key });
  expect(balance.body).toMatchObject({
    available_usd: 0,
    accounts: [
      { id: team.colleague.accountId, type: 'personal', slug: null, role: 'owner', available_usd: 0 },
      {
        id: team.teamId,
        type: 'team',
        slug: 'spenders',
        name: 'spenders',
        role: 'member',
        available_usd: 0.0996,
      },
    ],
  });
  const spend = { calls: 4, cost_usd: 0.0004 };
  const owner = { user_id: team.owner.userId, is_member: true, calls: 1, cost_usd: 0.0001 };
  const colleague = { user_id: team.colleague.userId, is_member: true, calls: 3, cost_usd: 0.0003 };
  for (const person of [team.owner, team.colleague])
    expect(await getTeam(harness.runtime, createSessionActor(person), 'spenders')).toMatchObject({
      available_usd: 0.0996,
      spend: { ...spend, by_member: [colleague, owner] },
    });
  // Spending of earlier months is not included.
  await remove(team);
  await sql()`update usage_rollups set hour = hour - interval '32 days' where account_id = ${team.teamId}
    and key_id = ${team.owner.keyId}`;
  expect((await getTeam(harness.runtime, createSessionActor(team.owner), 'spenders')).spend).toMatchObject({
    calls: 3,
    by_member: [{ ...colleague, is_member: false }],
  });
  await sql()`update usage_rollups set hour = hour + interval '32 days' where account_id = ${team.teamId}
    and key_id = ${team.owner.keyId}`;
});
