import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import type { Runtime } from '../../core/runtime';
import { consumeEmailQuota } from '../../platform/email/consume-email-quota';
import { createTeam } from './create-team';
import { getTeam } from './get-team';
import { inviteMember, MAX_EMAILS_PER_HOUR, MAX_MEMBERS, MAX_OPEN_INVITATIONS } from './invite-member';
import { revokeInvitation } from './revoke-invitation';
import { createTeamHelpers, getEmail, getToken } from './testing/team-fixture';

let harness: Harness;
let runtime: Runtime;
beforeAll(async () => {
  // These tests invite one address repeatedly.
  harness = await startHarness({ env: { EMAILS_PER_ADDRESS: '1000' } });
  ({ runtime } = harness);
});
afterAll(() => harness.close());

const sql = () => harness.runtime.sql;
const { newTeam, invite, accept, membersOf } = createTeamHelpers(() => harness);

describe('inviting', () => {
  it('is for the owner and admins, for both roles; others cannot invite, list or revoke', async () => {
    const { owner, slug } = await newTeam();
    const [admin, member, outsider] = [
      await harness.person(),
      await harness.person(),
      await harness.person(),
    ];
    await accept(admin, getToken((await invite(owner, slug, getEmail(admin), 'admin')).url));
    await accept(member, getToken((await invite(admin, slug, getEmail(member))).url));
    const { invitation } = await invite(admin, slug, 'new@example.test', 'admin');
    expect((await getTeam(runtime, createSessionActor(member), slug)).invitations).toEqual([]);
    for (const [person, code] of [
      [member, 'FORBIDDEN'],
      [outsider, 'NOT_FOUND'],
    ] as const) {
      await expect(invite(person, slug, 'x@example.test')).rejects.toMatchObject({ code });
      await expect(
        revokeInvitation(runtime, createSessionActor(person), { slug, id: invitation.id }),
      ).rejects.toMatchObject({ code });
    }
    const elsewhere = await newTeam();
    await expect(
      revokeInvitation(runtime, createSessionActor(elsewhere.owner), {
        slug: elsewhere.slug,
        id: invitation.id,
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await revokeInvitation(runtime, createSessionActor(admin), { slug, id: invitation.id })).toEqual({
      success: true,
    });
  });

  it('an address of a member is refused, naming the field', async () => {
    const { owner, slug } = await newTeam();
    await expect(invite(owner, slug, getEmail(owner))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ path: 'email', message: expect.stringContaining('already') }] },
    });
  });

  it(`twenty concurrent invitations never exceed ${MAX_OPEN_INVITATIONS} open ones`, async () => {
    const { owner, slug } = await newTeam();
    await sql()`insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
      select 'inv_f' || i, a.id, 'f' || i || '@x.test', 'member', ('f' || i)::bytea, ${owner.userId},
        now() + case when i <= 10 then interval '-1 hour' else interval '1 hour' end
      from accounts a, generate_series(1, ${MAX_OPEN_INVITATIONS + 5}::int) i where a.slug = ${slug}`;
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => invite(owner, slug, `more-${i}@x.test`)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of tries)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'FORBIDDEN' });
    // An open invitation can still be sent again; renewing an expired one would exceed the limit.
    expect(await invite(owner, slug, 'f20@x.test')).toBeTruthy();
    await expect(invite(owner, slug, 'f1@x.test')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('limits emails per hour by team, and by person across teams', async () => {
    const { owner, slug } = await newTeam();
    await invite(owner, slug, 'again@x.test');
    await sql()`update rate_windows w set used = ${MAX_EMAILS_PER_HOUR.team - 5} from accounts a
      where a.slug = ${slug} and w.subject = a.id`;
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => invite(owner, slug, 'again@x.test')),
    );
    const refused = tries.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(3);
    for (const reason of refused)
      expect(reason).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { limit: 'hour' } });
    await sql()`update rate_windows set used = ${MAX_EMAILS_PER_HOUR.person}
      where scope = 'invitations-of-person' and subject = ${owner.userId}`;
    await createTeam(runtime, createSessionActor(owner), { name: 'Second guild', slug: 'second-guild' });
    await expect(invite(owner, 'second-guild', 'a@x.test')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
    // Refused emails do not count against the team.
    expect(
      await sql()`select 1 from rate_windows w join accounts a on a.id = w.subject where a.slug = 'second-guild'`,
    ).toEqual([]);
  });

  it('an address gets at most five invitations per hour from all teams together, and can still sign in @F9', async () => {
    const limited = await startHarness({ peer: harness, env: { EMAILS_PER_ADDRESS: '5' } });
    try {
      const [first, second] = [await newTeam(), await newTeam()];
      const inviteFrom = ({ owner, slug }: typeof first, email: string) =>
        inviteMember(
          limited.runtime,
          createSessionActor(owner),
          { slug, email, role: 'member' },
          '192.0.2.1',
        );
      const forms = ['flooded@x.test', 'flooded+1@x.test'];
      for (let n = 0; n < 5; n++) await inviteFrom(n % 2 ? second : first, forms[n % 2] as string);
      for (const team of [first, second])
        await expect(inviteFrom(team, 'flooded@x.test')).rejects.toMatchObject({
          code: 'RATE_LIMIT_EXCEEDED',
          details: { limit: 'hour' },
        });
      expect(await inviteFrom(first, 'another@x.test')).toBeTruthy();
      const { db, settings } = limited.runtime;
      await consumeEmailQuota(db, settings, { kind: 'sign-in', to: 'flooded@x.test' });
    } finally {
      await limited.close();
    }
  });

  it(`a team has at most ${MAX_MEMBERS} members`, async () => {
    const { owner, slug } = await newTeam();
    const [last, late] = [await harness.person(), await harness.person()];
    const tokens = [];
    for (const person of [last, late])
      tokens.push(getToken((await invite(owner, slug, getEmail(person))).url));
    await sql()`insert into users (id, email) select 'user_m' || i, 'm' || i || '@x.test'
      from generate_series(1, ${MAX_MEMBERS - 2}::int) i`;
    await sql()`insert into memberships (account_id, user_id, role) select a.id, 'user_m' || i, 'member'
      from accounts a, generate_series(1, ${MAX_MEMBERS - 2}::int) i where a.slug = ${slug}`;
    const outcomes = await Promise.allSettled([
      accept(last, tokens[0] as string),
      accept(late, tokens[1] as string),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(invite(owner, slug, 'one-more@x.test')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await membersOf(slug)).toBe(MAX_MEMBERS);
  });
});
