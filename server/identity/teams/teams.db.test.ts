import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { appRouter } from '../../api/root';
import type { Credentials, RequestContext } from '../../core/trpc/context';
import { t } from '../../core/trpc/init';
import { getBalance } from '../../money/billing/get-balance';
import { reconcile } from '../../money/reconcile/reconcile';
import { changeRole } from './change-role';
import { createTeam, MAX_OWNED_TEAMS, MAX_TEAMS_PER_DAY } from './create-team';
import { getTeam } from './get-team';
import { leaveTeam } from './leave-team';
import { listTeams } from './list-teams';
import { removeMember } from './remove-member';
import { removeTeam } from './remove-team';
import { renameTeam } from './rename-team';
import { createTeamInput } from './schema';
import { setDefaultTeam } from './set-default-team';
import { createTeamHelpers, createTeamWith, findBadOwners, type Person } from './testing/team-fixture';
import { transferOwnership } from './transfer-ownership';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  expect(await findBadOwners(harness)).toEqual([]);
});

const sql = () => harness.runtime.sql;
const { rolesIn, auditOf } = createTeamHelpers(() => harness);
const refusedWith = (code: string) => expect.objectContaining({ code });

it('teams are managed with a session only, never with a key or without sign-in', async () => {
  const { key } = await harness.person();
  const ask = (credentials: Credentials, transport: RequestContext['transport']) =>
    t.createCallerFactory(appRouter)({
      runtime: harness.runtime,
      requestId: 'req_test',
      clientIp: '',
      credentials,
      providerKeys: new Map(),
      userAgent: null,
      signal: () => new AbortController().signal,
      reply: { headers: {} },
      transport,
    });
  for (const credentials of [{ kind: 'none' }, { kind: 'bearer', token: key }] satisfies Credentials[])
    for (const transport of ['trpc', 'rest'] as const) {
      const { teams } = ask(credentials, transport);
      const answers = await Promise.allSettled([
        teams.list(),
        teams.create({ name: 'By a key' }),
        teams.acceptInvitation({ token: 'x' }),
      ]);
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 'rejected', reason: { cause: { code: 'AUTH_REQUIRED' } } });
      // The hint for a person does not mention API keys.
      if (credentials.kind === 'none' && transport === 'trpc')
        expect(answers[0]).toMatchObject({ reason: { cause: { message: 'You are not signed in.' } } });
    }
  for (const path of ['/v1/teams', '/v1/team'])
    expect((await harness.request('GET', path, { key })).status).toBe(404);
});

describe('creating a team', () => {
  it('makes the creator its owner; it appears in their list and balance, and nobody else can find it', async () => {
    const { runtime } = harness;
    const [person, outsider] = [await harness.person(), await harness.person()];
    const made = await createTeam(runtime, createSessionActor(person), { name: 'Ada’s Crew' });
    expect(made).toEqual({ slug: 'adas-crew', name: 'Ada’s Crew', role: 'owner' });
    expect((await listTeams(runtime, createSessionActor(person))).teams).toMatchObject([
      { slug: 'adas-crew', role: 'owner', members: 1, available_usd: 0, is_default: false, frozen: false },
    ]);
    const { accounts } = await getBalance(runtime, createSessionActor(person));
    expect(accounts).toMatchObject([
      { type: 'personal' },
      { type: 'team', slug: 'adas-crew', role: 'owner' },
    ]);
    for (const slug of ['adas-crew', 'nothing-here', 'personal'])
      await expect(getTeam(runtime, createSessionActor(outsider), slug)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    expect((await listTeams(runtime, createSessionActor(outsider))).teams).toEqual([]);
    expect(await auditOf('adas-crew')).toEqual(['team.create']);
  });

  it('refuses a slug that is taken, reserved or cannot be derived from the name, naming the field', async () => {
    const { runtime } = harness;
    const person = await harness.person();
    await createTeam(runtime, createSessionActor(person), { name: 'Taken', slug: 'taken' });
    for (const wanted of [
      { name: 'Taken' },
      { name: 'Other', slug: 'taken' },
      { name: 'Team' },
      { name: '日本' },
      { name: 'x', slug: 'A B' },
    ])
      await expect(createTeam(runtime, createSessionActor(person), wanted)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { fields: [{ path: 'slug', message: expect.stringMatching(/\.$/) }] },
      });
    expect((await listTeams(runtime, createSessionActor(person))).teams).toHaveLength(1);
  });

  it('gives a slug to one of two people who request it at once', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => harness.person()));
    const tries = await Promise.allSettled(
      people.map((person) =>
        createTeam(harness.runtime, createSessionActor(person), { name: 'Rush', slug: 'rush' }),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('accepts only names of one visible line without a link', () => {
    const accepts = (name: unknown) => createTeamInput.safeParse({ name }).success;
    for (const name of ['Acme', ' R&D / Ops ', '日本', '👩‍💻 Team', 'x'.repeat(60)])
      expect(accepts(name)).toBe(true);
    const bad = [
      '',
      '  ',
      'x'.repeat(61),
      'a\nb',
      'a\u0000',
      '\u200b',
      'a\u202eb',
      'see https://evil.example',
      5,
      null,
    ];
    for (const name of bad) expect(accepts(name)).toBe(false);
  });

  it(`a person owns at most ${MAX_OWNED_TEAMS} teams, also with concurrent requests`, async () => {
    const person = await harness.person();
    const tries = await Promise.allSettled(
      Array.from({ length: MAX_OWNED_TEAMS + 4 }, (_, i) =>
        createTeam(harness.runtime, createSessionActor(person), { name: `Many ${i}`, slug: `many-${i}` }),
      ),
    );
    const refused = tries.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(4);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'FORBIDDEN' });
    // Deleting a team makes room, but teams per day are limited, because slugs are never reused.
    await removeTeam(harness.runtime, createSessionActor(person), 'many-0');
    expect(MAX_TEAMS_PER_DAY).toBe(MAX_OWNED_TEAMS);
    await expect(
      createTeam(harness.runtime, createSessionActor(person), { name: 'One more', slug: 'one-more' }),
    ).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { retry_after: expect.any(Number) } });
  });

  it('is refused to a frozen person', async () => {
    const actor = { ...createSessionActor(await harness.person()), accountFrozen: true };
    await expect(createTeam(harness.runtime, actor, { name: 'Frozen' })).rejects.toEqual(
      refusedWith('FORBIDDEN'),
    );
  });
});

describe('roles', () => {
  it('the owner and admins can rename a team, members cannot; the slug stays', async () => {
    const { runtime } = harness;
    const { slug, owner, others } = await createTeamWith(harness, 'admin', 'member');
    const [admin, member] = others as [Person, Person];
    for (const [person, name] of [
      [owner, 'By the owner'],
      [admin, 'By an admin'],
    ] as const)
      expect(await renameTeam(runtime, createSessionActor(person), { slug, name })).toMatchObject({
        slug,
        name,
      });
    await expect(renameTeam(runtime, createSessionActor(member), { slug, name: 'x' })).rejects.toEqual(
      refusedWith('FORBIDDEN'),
    );
    expect(await getTeam(runtime, createSessionActor(member), slug)).toMatchObject({
      name: 'By an admin',
      role: 'member',
    });
    expect(await auditOf(slug)).toEqual(['team.create', 'team.rename', 'team.rename']);
  });

  it('the owner and admins can change roles and remove members, but not the owner', async () => {
    const { runtime } = harness;
    const { slug, owner, others } = await createTeamWith(harness, 'admin', 'admin', 'member');
    const [admin, second, member] = others as [Person, Person, Person];
    const change = (by: Person, of: Person, role: 'admin' | 'member') =>
      changeRole(runtime, createSessionActor(by), { slug, userId: of.userId, role });
    const remove = (by: Person, of: Person) =>
      removeMember(runtime, createSessionActor(by), { slug, userId: of.userId });
    for (const act of [
      () => change(admin, owner, 'member'),
      () => change(owner, owner, 'admin'),
      () => remove(admin, owner),
      () => remove(owner, owner),
      () => change(member, admin, 'member'),
      () => change(member, member, 'admin'),
      () => remove(member, admin),
      () => remove(member, member),
    ])
      await expect(act()).rejects.toEqual(refusedWith('FORBIDDEN'));
    const outsider = await harness.person();
    await expect(change(outsider, member, 'admin')).rejects.toEqual(refusedWith('NOT_FOUND'));
    await expect(remove(owner, outsider)).rejects.toEqual(refusedWith('NOT_FOUND'));

    await change(admin, member, 'admin');
    await change(owner, admin, 'member');
    await change(second, second, 'member');
    expect(await rolesIn(slug, owner)).toEqual({
      [owner.userId]: 'owner',
      [admin.userId]: 'member',
      [second.userId]: 'member',
      [member.userId]: 'admin',
    });
    await remove(member, admin);
    await remove(owner, member);
    expect(await rolesIn(slug, owner)).toEqual({ [owner.userId]: 'owner', [second.userId]: 'member' });
    await expect(getTeam(runtime, createSessionActor(admin), slug)).rejects.toEqual(refusedWith('NOT_FOUND'));
  });

  it('a frozen person cannot manage a team, but can leave it', async () => {
    const { runtime } = harness;
    const { slug, owner, others } = await createTeamWith(harness, 'admin', 'member');
    const [admin, member] = others as [Person, Person];
    const frozen = { ...createSessionActor(admin), accountFrozen: true };
    const { userId } = member;
    for (const act of [
      () => renameTeam(runtime, frozen, { slug, name: 'Mine now' }),
      () => changeRole(runtime, frozen, { slug, userId, role: 'admin' }),
      () => removeMember(runtime, frozen, { slug, userId }),
      () =>
        transferOwnership(runtime, { ...createSessionActor(owner), accountFrozen: true }, { slug, userId }),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'Your account is frozen.' });
    await leaveTeam(runtime, frozen, slug);
    expect(await rolesIn(slug, owner)).toEqual({ [owner.userId]: 'owner', [userId]: 'member' });
  });

  it('of two admins who remove each other at once, one stays', async () => {
    for (let round = 0; round < 8; round++) {
      const { slug, owner, others } = await createTeamWith(harness, 'admin', 'admin');
      const [a, b] = others as [Person, Person];
      const remove = (by: Person, of: Person) =>
        removeMember(harness.runtime, createSessionActor(by), { slug, userId: of.userId });
      const outcomes = await Promise.allSettled([remove(a, b), remove(b, a)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(Object.keys(await rolesIn(slug, owner))).toHaveLength(2);
    }
  });

  it('members can leave, the owner cannot; a team one has left is no longer the default', async () => {
    const { runtime } = harness;
    const { slug, owner, others } = await createTeamWith(harness, 'member');
    const [member] = others as [Person];
    await setDefaultTeam(runtime, createSessionActor(member), slug);
    expect((await listTeams(runtime, createSessionActor(member))).teams).toMatchObject([
      { slug, is_default: true },
    ]);
    await leaveTeam(runtime, createSessionActor(member), slug);
    expect(await sql()`select default_team_id from users where id = ${member.userId}`).toMatchObject([
      { default_team_id: null },
    ]);
    await expect(leaveTeam(runtime, createSessionActor(member), slug)).rejects.toEqual(
      refusedWith('NOT_FOUND'),
    );
    await expect(leaveTeam(runtime, createSessionActor(owner), slug)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      hint: expect.stringContaining('Transfer ownership'),
    });
    await expect(setDefaultTeam(runtime, createSessionActor(member), slug)).rejects.toEqual(
      refusedWith('NOT_FOUND'),
    );
    expect(await auditOf(slug)).toEqual(['team.create', 'team.default', 'team.leave']);
  });
});
