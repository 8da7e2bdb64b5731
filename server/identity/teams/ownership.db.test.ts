import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { getBalance } from '../../money/billing/get-balance';
import { reconcile } from '../../money/reconcile/reconcile';
import { createTeam, MAX_OWNED_TEAMS } from './create-team';
import { getTeam } from './get-team';
import { leaveTeam } from './leave-team';
import { listTeams } from './list-teams';
import { removeMember } from './remove-member';
import { removeTeam } from './remove-team';
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

describe('a transfer of ownership', () => {
  it('makes the new owner the owner and the old one an admin, and is for the owner only', async () => {
    const { runtime } = harness;
    const { slug, owner, others } = await createTeamWith(harness, 'admin', 'member');
    const [admin, member] = others as [Person, Person];
    const hand = (by: Person, to: { userId: string }) =>
      transferOwnership(runtime, createSessionActor(by), { slug, userId: to.userId });
    await expect(hand(admin, admin)).rejects.toEqual(refusedWith('FORBIDDEN'));
    await expect(hand(admin, member)).rejects.toEqual(refusedWith('FORBIDDEN'));
    await expect(hand(owner, owner)).rejects.toEqual(refusedWith('FORBIDDEN'));
    await expect(hand(owner, await harness.person())).rejects.toEqual(refusedWith('NOT_FOUND'));
    await hand(owner, member);
    expect(await rolesIn(slug, owner)).toEqual({
      [member.userId]: 'owner',
      [owner.userId]: 'admin',
      [admin.userId]: 'admin',
    });
    await leaveTeam(runtime, createSessionActor(owner), slug);
    expect((await auditOf(slug)).slice(1)).toEqual(['team.transfer', 'team.leave']);
  });

  it('to two people at once succeeds for one of them', async () => {
    for (let round = 0; round < 8; round++) {
      const { slug, owner, others } = await createTeamWith(harness, 'member', 'member');
      const outcomes = await Promise.allSettled(
        others.map(({ userId }) =>
          transferOwnership(harness.runtime, createSessionActor(owner), { slug, userId }),
        ),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(Object.values(await rolesIn(slug, owner)).sort()).toEqual(['admin', 'member', 'owner']);
    }
  });

  it('during the removal of the new owner leaves the team with one owner who is a member', async () => {
    for (let round = 0; round < 8; round++) {
      const { slug, owner, others } = await createTeamWith(harness, 'member');
      const [heir] = others as [Person];
      const outcomes = await Promise.allSettled([
        transferOwnership(harness.runtime, createSessionActor(owner), { slug, userId: heir.userId }),
        round % 2
          ? leaveTeam(harness.runtime, createSessionActor(heir), slug)
          : removeMember(harness.runtime, createSessionActor(owner), { slug, userId: heir.userId }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it(`is refused to a person who owns ${MAX_OWNED_TEAMS} teams`, async () => {
    const { slug, owner, others } = await createTeamWith(harness, 'member');
    const [heir] = others as [Person];
    for (let i = 0; i < MAX_OWNED_TEAMS; i++) await harness.team(heir.userId, `heir-${i}`, 0n);
    await expect(
      transferOwnership(harness.runtime, createSessionActor(owner), { slug, userId: heir.userId }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('20') });
  });
});

describe('deleting a team', () => {
  it('is for the owner only, removes it for all members, and keeps its slug reserved', async () => {
    const { runtime } = harness;
    const { slug, owner, others } = await createTeamWith(harness, 'admin', 'member');
    const [admin, member] = others as [Person, Person];
    await setDefaultTeam(runtime, createSessionActor(member), slug);
    for (const person of [admin, member])
      await expect(removeTeam(runtime, createSessionActor(person), slug)).rejects.toEqual(
        refusedWith('FORBIDDEN'),
      );
    await removeTeam(runtime, createSessionActor(owner), slug);
    for (const person of [owner, admin, member]) {
      expect((await listTeams(runtime, createSessionActor(person))).teams).toEqual([]);
      expect((await getBalance(runtime, createSessionActor(person))).accounts).toHaveLength(1);
      await expect(getTeam(runtime, createSessionActor(person), slug)).rejects.toEqual(
        refusedWith('NOT_FOUND'),
      );
    }
    await expect(removeTeam(runtime, createSessionActor(owner), slug)).rejects.toEqual(
      refusedWith('NOT_FOUND'),
    );
    await expect(
      createTeam(runtime, createSessionActor(owner), { name: 'Again', slug }),
    ).rejects.toMatchObject({
      details: { fields: [{ path: 'slug' }] },
    });
    expect(await sql()`select default_team_id from users where id = ${member.userId}`).toMatchObject([
      { default_team_id: null },
    ]);
    expect(await auditOf(slug)).toContain('team.delete');
  });

  it.each([
    ['credit', 'balance_microusd = 1', 'in credit'],
    ['debt', 'debt_microusd = 1500000', '$1.50'],
    ['running calls', 'balance_microusd = 100, held_microusd = 100', 'running'],
    ['an open dispute', 'disputed_at = now()', 'disputed'],
    ['a freeze', 'frozen_at = now()', 'frozen'],
  ])('is refused while it has %s, with the reason', async (_what, state, words) => {
    const { slug, owner } = await createTeamWith(harness);
    await sql().unsafe(`update accounts set ${state} where slug = '${slug}'`);
    await expect(removeTeam(harness.runtime, createSessionActor(owner), slug)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(words),
    });
    expect(await sql()`select closed_at from accounts where slug = ${slug}`).toMatchObject([
      { closed_at: null },
    ]);
    await sql()`update accounts set balance_microusd = 0, held_microusd = 0, debt_microusd = 0,
      disputed_at = null, frozen_at = null where slug = ${slug}`;
  });

  it('is refused while a payment for it is open', async () => {
    const { slug, owner } = await createTeamWith(harness);
    await sql()`insert into orders (id, kind, mode, account_id, created_by, credits_microusd, fee_microusd, total_cents)
      select 'order_1', 'checkout', 'fake', id, 'test', 10000000, 800000, 1080 from accounts where slug = ${slug}`;
    const remove = () => removeTeam(harness.runtime, createSessionActor(owner), slug);
    await expect(remove()).rejects.toMatchObject({ message: expect.stringContaining('not finished') });
    await sql()`update orders set status = 'expired', finished_at = now() where id = 'order_1'`;
    expect(await remove()).toEqual({ success: true });
  });
});
