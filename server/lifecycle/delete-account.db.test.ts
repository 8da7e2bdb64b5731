import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addIdempotencyRecord, addJob } from '@/test/support/aged-rows';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { acceptInvitation } from '../identity/teams/accept-invitation';
import { inviteMember } from '../identity/teams/invite-member';
import { transferOwnership } from '../identity/teams/transfer-ownership';
import { reconcile } from '../money/reconcile/reconcile';
import { sweep } from '../operations/retention/sweep';
import { deleteAccount } from './delete-account';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('a deleted account keeps its ledger, but no inputs, logs or outputs of its calls @F13', async () => {
  const { runtime } = harness;
  const { sql } = runtime;
  const [person, other] = [await harness.person(1_000_000n), await harness.person()];
  const spend = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
  await harness.request('POST', '/v1/tools/call', { key: person.key, json: spend });
  for (const { accountId } of [person, other]) {
    await addJob(sql, { accountId, finished: '1 hour' });
    await addIdempotencyRecord(sql, { accountId, created: '2 hours', finished: '1 hour' });
  }
  const running = await addJob(sql, { accountId: person.accountId });

  await deleteAccount(runtime, createSessionActor(person));
  const ids = async (accountId: string) =>
    (await sql`select id from jobs where account_id = ${accountId}`).map(({ id }) => id);
  const answers = (accountId: string) => sql`select 1 from idempotency_keys where account_id = ${accountId}`;
  expect(await ids(person.accountId)).toEqual([running]);
  expect(await answers(person.accountId)).toHaveLength(0);
  expect(await ids(other.accountId)).toHaveLength(1);
  expect(await answers(other.accountId)).toHaveLength(1);
  expect(await sql`select 1 from usage_records where account_id = ${person.accountId}`).toHaveLength(1);
  expect((await reconcile(runtime)).differences).toEqual([]);

  // Data of a running call is deleted by the first sweep after its end, not a week later.
  await sweep(runtime);
  expect(await ids(person.accountId)).toEqual([running]);
  await sql`update jobs set status = 'completed', result = '{}', finished_at = now() where id = ${running}`;
  expect((await sweep(runtime)).removed).toMatchObject({ jobsOfDeletedAccounts: 1, jobs: 0 });
  expect(await ids(person.accountId)).toEqual([]);
  expect(await ids(other.accountId)).toHaveLength(1);
});

it.each<[string, string, string, string]>([
  ['owes money', 'debt_microusd = 5000', 'The debt of your account is $0.005.', 'Buy credit'],
  ['has a disputed payment', 'disputed_at = now()', 'A payment for your account is disputed.', 'Wait until'],
  ['is frozen', 'frozen_at = now()', 'The operator has frozen your account.', 'Ask the operator'],
])(
  'an account that %s is not deleted, and the error says what to do @F13',
  async (_, state, message, hint) => {
    const { sql } = harness.runtime;
    const person = await harness.person();
    await sql.unsafe(`update accounts set ${state} where id = $1`, [person.accountId]);
    await expect(deleteAccount(harness.runtime, createSessionActor(person))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message,
      hint: expect.stringContaining(hint),
    });
    await sql`update accounts set debt_microusd = 0, disputed_at = null, frozen_at = null where id = ${person.accountId}`;
    const [kept] = await sql`select closed_at, name from accounts where id = ${person.accountId}`;
    expect(kept).toEqual({ closed_at: null, name: 'Test Person' });
    await deleteAccount(harness.runtime, createSessionActor(person));
  },
);

describe('a team member', () => {
  type Person = Awaited<ReturnType<Harness['person']>>;
  const remove = (person: Person) => deleteAccount(harness.runtime, createSessionActor(person));
  const join = (person: Person, teamId: string, role = 'member') =>
    harness.runtime
      .sql`insert into memberships (account_id, user_id, role) values (${teamId}, ${person.userId}, ${role})`;
  const invite = async (by: Person, slug: string, email: string) =>
    new URL(
      (await inviteMember(harness.runtime, createSessionActor(by), { slug, email, role: 'member' })).url,
    ).searchParams.get('token') ?? '';
  const closedTeams = async (...slugs: string[]) =>
    (
      await harness.runtime.sql`select slug from accounts where slug = any(${slugs}) and closed_at is not null
        order by slug`
    ).map(({ slug }) => slug);

  it('is not deleted while they own a team with other members or with credit; the error says what to do', async () => {
    const { runtime } = harness;
    const [person, other] = [await harness.person(), await harness.person()];
    const shared = await harness.team(person.userId, 'shared', 0n);
    await join(other, shared);
    await expect(remove(person)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('has other members'),
      hint: expect.stringContaining('Transfer ownership'),
    });
    await transferOwnership(runtime, createSessionActor(person), { slug: 'shared', userId: other.userId });
    await harness.team(person.userId, 'rich', 5_000_000n);
    await expect(remove(person)).rejects.toMatchObject({ message: expect.stringContaining('$5.00') });
    // The failed deletion changed nothing.
    const ask = () => harness.request('GET', '/v1/billing/balance', { key: person.key });
    expect((await ask()).body.accounts).toHaveLength(3);
  });

  it.each<[string, string, string]>([
    ['owes money', 'debt_microusd = 5000', '$0.005'],
    ['has a disputed payment', 'disputed_at = now()', 'disputed'],
    ['has calls running', 'balance_microusd = 5, held_microusd = 5', 'running'],
    ['is frozen', 'frozen_at = now()', 'frozen'],
  ])('is not deleted while their team %s; the error says why @F13', async (_, state, words) => {
    const { runtime } = harness;
    const person = await harness.person();
    const slug = `unsettled-${words.replaceAll(/\W/g, '')}`.toLowerCase();
    const teamId = await harness.team(person.userId, slug, 0n);
    await runtime.sql.unsafe(`update accounts set ${state} where id = $1`, [teamId]);
    await expect(remove(person)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(words),
    });
    await runtime.sql`update accounts set debt_microusd = 0, disputed_at = null, held_microusd = 0,
      balance_microusd = 0, frozen_at = null where id = ${teamId}`;
    await remove(person);
    expect(await closedTeams(slug)).toEqual([slug]);
  });

  it('is deleted with a team without other members, memberships and invitations', async () => {
    const { sql } = harness.runtime;
    const [person, other] = [await harness.person(), await harness.person()];
    await harness.team(person.userId, 'alone', 0n);
    const theirs = await harness.team(other.userId, 'theirs', 1_000_000n);
    await harness.team(other.userId, 'invites', 0n);
    await join(person, theirs, 'admin');
    await invite(other, 'invites', `${person.userId}@example.test`);
    await invite(person, 'alone', 'nobody@example.test');
    await invite(person, 'theirs', 'somebody@example.test');
    await sql`update users set default_team_id = ${theirs} where id = ${person.userId}`;
    await remove(person);
    expect(await closedTeams('alone', 'theirs', 'invites')).toEqual(['alone']);
    expect(await sql`select 1 from memberships where user_id = ${person.userId}`).toHaveLength(0);
    expect(
      await sql`select 1 from invitations where invited_by = ${person.userId}
      or email = ${`${person.userId}@example.test`}`,
    ).toHaveLength(0);
    expect(await sql`select default_team_id from users where id = ${person.userId}`).toMatchObject([
      { default_team_id: null },
    ]);
    expect((await harness.request('GET', '/v1/billing/balance', { key: person.key })).status).toBe(401);
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
  });

  it('deleted while joining or taking over a team is never left in a team without an account', async () => {
    const { runtime } = harness;
    for (let round = 0; round < 10; round++) {
      const [owner, person] = [await harness.person(), await harness.person()];
      const slug = `meanwhile-${round}`;
      const teamId = await harness.team(owner.userId, slug, 0n);
      const token = await invite(owner, slug, `${person.userId}@example.test`);
      if (round % 2) await join(person, teamId);
      await Promise.allSettled([
        remove(person),
        round % 2
          ? transferOwnership(runtime, createSessionActor(owner), { slug, userId: person.userId })
          : acceptInvitation(runtime, createSessionActor(person), token),
      ]);
      expect(
        await runtime.sql`select 1 from accounts a
          where a.type = 'personal' and a.owner_user_id = ${person.userId} and a.closed_at is not null
            and (exists (select 1 from memberships m where m.user_id = ${person.userId})
              or exists (select 1 from accounts t where t.slug = ${slug} and t.owner_user_id = ${person.userId}
                and t.closed_at is null))`,
      ).toHaveLength(0);
    }
  });
});
