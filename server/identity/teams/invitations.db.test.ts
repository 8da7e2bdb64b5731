import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import type { Runtime } from '../../core/runtime';
import type { Credentials, RequestContext } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import { sweep } from '../../operations/retention/sweep';
import { hashSessionToken } from '../sessions/session-token';
import { changeRole } from './change-role';
import { declineInvitation } from './decline-invitation';
import { getTeam } from './get-team';
import { hashInvitationToken } from './invitation-token';
import { inviteMember } from './invite-member';
import { leaveTeam } from './leave-team';
import { previewInvitation } from './preview-invitation';
import { removeMember } from './remove-member';
import { removeTeam } from './remove-team';
import { renderInvitationEmail } from './render-invitation-email';
import { revokeInvitation } from './revoke-invitation';
import { createTeamHelpers, getEmail, getToken, type Person } from './testing/team-fixture';

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

/** Requests the preview as the join page does, signed in or not. */
async function preview(token: string, viewer?: Person) {
  const credentials: Credentials = viewer ? await signedIn(viewer) : { kind: 'none' };
  const context: RequestContext = {
    runtime,
    requestId: 'req_test',
    clientIp: '',
    credentials,
    providerKeys: new Map(),
    userAgent: null,
    signal: () => new AbortController().signal,
    reply: { headers: {} },
    transport: 'internal',
  };
  return await previewInvitation(context, token);
}
async function signedIn({ userId }: Person): Promise<Credentials> {
  const token = newId('request');
  await sql()`insert into sessions values (${hashSessionToken(token)}, ${userId}, now() + interval '1 hour')`;
  return { kind: 'session', token };
}

describe('an invitation', () => {
  it('is emailed with a 256-bit token that is stored only as a hash, and adds a member once', async () => {
    const { owner, slug, name } = await newTeam();
    const guest = await harness.person();
    const sent = await invite(owner, slug, getEmail(guest), 'admin');
    const token = getToken(sent.url);
    expect(sent).toMatchObject({
      url: `http://gateway.test/join?token=${token}`,
      mail: 'inbox',
      invitation: { email: getEmail(guest), role: 'admin', invited_by: 'Test Person', expired: false },
    });
    expect(Buffer.from(token.slice('inv_'.length), 'base64url')).toHaveLength(32);
    const [mail] = runtime.ports.localMail?.messages() ?? [];
    expect(mail).toMatchObject({ to: getEmail(guest), subject: expect.stringContaining('Join Guild') });
    for (const part of [mail?.text, mail?.html]) expect(part).toContain(sent.url);
    const [row] = await sql()`select to_jsonb(i)::text as text, token_hash, expires_at - created_at as life
      from invitations i where id = ${sent.invitation.id}`;
    expect(row?.text).not.toContain(token);
    expect(row?.token_hash).toEqual(hashInvitationToken(token));
    expect(row?.life).toBe('7 days');

    expect((await getTeam(runtime, createSessionActor(owner), slug)).invitations).toMatchObject([
      { id: sent.invitation.id, email: getEmail(guest) },
    ]);
    expect(await accept(guest, token)).toEqual({ slug, name, role: 'admin' });
    // Repeating it returns the same response and changes nothing.
    expect(await accept(guest, token)).toMatchObject({ slug, role: 'admin' });
    expect((await getTeam(runtime, createSessionActor(owner), slug)).invitations).toEqual([]);
    await removeMember(runtime, createSessionActor(owner), { slug, userId: guest.userId });
    await expect(accept(guest, token)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await membersOf(slug)).toBe(1);
    const events = await sql()`select action, details from audit_events where account_id = (
      select id from accounts where slug = ${slug}) order by created_at, id`;
    expect(events.map(({ action }) => action)).toEqual([
      'team.create',
      'team.invite',
      'team.join',
      'team.member_remove',
    ]);
    for (const { details } of events) expect(JSON.stringify(details)).not.toContain('@');
  });

  it('is valid for its address only: another person gets an error and no membership', async () => {
    const { owner, slug } = await newTeam();
    const [guest, other] = [await harness.person(), await harness.person()];
    const token = getToken((await invite(owner, slug, getEmail(guest))).url);
    for (const answer of [accept, (by: Person) => declineInvitation(runtime, createSessionActor(by), token)])
      await expect(answer(other, token)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        message: expect.not.stringContaining(getEmail(guest)),
      });
    expect(await membersOf(slug)).toBe(1);
    expect((await accept(guest, token)).slug).toBe(slug);
  });

  it('accepted by twenty concurrent requests adds one membership', async () => {
    const { owner, slug } = await newTeam();
    const guest = await harness.person();
    const token = getToken((await invite(owner, slug, getEmail(guest))).url);
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(guest, token)));
    expect(new Set(answers.map(({ role }) => role))).toEqual(new Set(['member']));
    expect(await membersOf(slug)).toBe(2);
    expect(
      await sql()`select 1 from audit_events where action = 'team.join' and account_id = (
      select id from accounts where slug = ${slug})`,
    ).toHaveLength(1);
  });

  it('cannot be used once it is revoked, declined, expired or renewed, or its team is deleted', async () => {
    const guest = await harness.person();
    const ways: [
      string,
      (team: Awaited<ReturnType<typeof newTeam>>, id: string, token: string) => Promise<unknown>,
    ][] = [
      [
        'revoked',
        ({ owner, slug }, id) => revokeInvitation(runtime, createSessionActor(owner), { slug, id }),
      ],
      ['revoked', (_, __, token) => declineInvitation(runtime, createSessionActor(guest), token)],
      ['expired', (_, id) => sql()`update invitations set expires_at = now() where id = ${id}`],
      ['unknown', ({ owner, slug }) => invite(owner, slug, getEmail(guest))],
      ['revoked', ({ owner, slug }) => removeTeam(runtime, createSessionActor(owner), slug)],
    ];
    for (const [state, end] of ways) {
      const team = await newTeam();
      const { invitation, url } = await invite(team.owner, team.slug, getEmail(guest));
      await end(team, invitation.id, getToken(url));
      expect((await preview(getToken(url))).state).toBe(state);
      await expect(accept(guest, getToken(url))).rejects.toMatchObject({
        code: state === 'unknown' ? 'NOT_FOUND' : 'INVALID_INPUT',
      });
      expect(await membersOf(team.slug)).toBe(1);
    }
  });

  it('accepted and revoked at once ends in exactly one of the two', async () => {
    for (let round = 0; round < 8; round++) {
      const { owner, slug } = await newTeam();
      const guest = await harness.person();
      const { invitation, url } = await invite(owner, slug, getEmail(guest));
      const outcomes = await Promise.allSettled([
        accept(guest, getToken(url)),
        revokeInvitation(runtime, createSessionActor(owner), { slug, id: invitation.id }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await membersOf(slug)).toBe(outcomes[0].status === 'fulfilled' ? 2 : 1);
    }
  });

  it('sent again keeps its id, and gets a new link, a new role and seven more days', async () => {
    const { owner, slug } = await newTeam();
    const guest = await harness.person();
    const first = await invite(owner, slug, getEmail(guest));
    await sql()`update invitations set expires_at = now() - interval '1 day' where id = ${first.invitation.id}`;
    expect((await getTeam(runtime, createSessionActor(owner), slug)).invitations).toMatchObject([
      { expired: true },
    ]);
    const again = await invite(owner, slug, getEmail(guest), 'admin');
    expect(again.invitation).toMatchObject({ id: first.invitation.id, role: 'admin', expired: false });
    expect(again.url).not.toBe(first.url);
    expect(await accept(guest, getToken(again.url))).toMatchObject({ role: 'admin' });
  });
});

describe('a former admin', () => {
  it.each([
    [
      'is removed',
      (owner: Person, slug: string, admin: Person) =>
        removeMember(runtime, createSessionActor(owner), { slug, userId: admin.userId }),
    ],
    [
      'leaves',
      (_: Person, slug: string, admin: Person) => leaveTeam(runtime, createSessionActor(admin), slug),
    ],
    [
      'becomes a member',
      (owner: Person, slug: string, admin: Person) =>
        changeRole(runtime, createSessionActor(owner), { slug, userId: admin.userId, role: 'member' }),
    ],
  ])('who %s cannot return by an invitation of their own', async (_, end) => {
    const { owner, slug } = await newTeam();
    const [admin, alterEgo, invited] = [
      await harness.person(),
      await harness.person(),
      await harness.person(),
    ];
    await accept(admin, getToken((await invite(owner, slug, getEmail(admin), 'admin')).url));
    const own = getToken((await invite(admin, slug, getEmail(alterEgo), 'admin')).url);
    const byOwner = getToken((await invite(owner, slug, getEmail(invited))).url);
    await end(owner, slug, admin);
    await expect(accept(alterEgo, own)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await getTeam(runtime, createSessionActor(owner), slug)).invitations).toMatchObject([
      { email: getEmail(invited) },
    ]);
    expect(await accept(invited, byOwner)).toMatchObject({ slug, role: 'member' });
  });
});

describe('without a mail server', () => {
  it('returns the link; a failing mail server does not lose the invitation', async () => {
    const { owner, slug } = await newTeam();
    const withMail = (mail: Runtime['ports']['mail']): Runtime => ({
      ...runtime,
      ports: { ...runtime.ports, mail, localMail: null },
    });
    const wanted = { slug, email: 'someone@x.test', role: 'member' } as const;
    const none = await inviteMember(withMail(null), createSessionActor(owner), wanted);
    expect(none).toMatchObject({ mail: 'none', url: expect.stringContaining('/join?token=inv_') });
    const send = () => Promise.reject(new Error('the mail server is away'));
    const failed = await inviteMember(withMail({ send }), createSessionActor(owner), wanted);
    expect(failed.mail).toBe('failed');
    expect((await preview(getToken(failed.url))).state).toBe('open');
  });

  it('the content of the email cannot be injected @F35', () => {
    const content = {
      to: 'a@b.c',
      url: 'http://gateway.test/join?token=inv_x',
      teamName: '<b>Team</b>',
      inviter:
        'Win at evil.example/now\r\nBcc: all@x.test https://evil.example \u202emoc.live\u202c h:\u202e//ttp',
      role: 'member',
    } as const;
    const mail = renderInvitationEmail(content, { name: 'Acme', color: '#1f51d6' });
    expect(mail.html).not.toContain('<b>');
    expect(mail.text).not.toContain('https://evil');
    expect(mail.text).not.toContain('evil.example');
    expect(mail.text).toContain('all@x.test');
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.text + mail.subject).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(mail.text.match(/:\/\//g)).toHaveLength(1);
    expect(/https?:\/\/\S+/.exec(mail.text)?.[0]).toBe('http://gateway.test/join?token=inv_x');
  });
});

describe('the preview of an invitation', () => {
  it('shows the team, reveals the address only to its owner, and changes nothing @F12', async () => {
    const { owner, slug, name } = await newTeam();
    const [guest, other] = [await harness.person(), await harness.person()];
    const token = getToken((await invite(owner, slug, getEmail(guest), 'admin')).url);
    const shown = { state: 'open', team_name: name, inviter: 'Test Person', role: 'admin' };
    const masked = { ...shown, email: 'u•••@example.test', is_yours: false, team_slug: null };
    for (let i = 0; i < 3; i++) {
      expect(await preview(token)).toMatchObject(masked);
      expect(await preview(token, other)).toMatchObject(masked);
      expect(await preview(token, guest)).toMatchObject({ ...shown, email: getEmail(guest), is_yours: true });
    }
    expect(await preview(token, owner)).toMatchObject({ is_yours: false, team_slug: slug });
    await accept(guest, token);
    expect(await preview(token, guest)).toMatchObject({ state: 'used', is_yours: true, team_slug: slug });
    expect(await preview('inv_wrong')).toMatchObject({ state: 'unknown', team_name: null });
  });
});

it('the sweep deletes invitations a month after they ended, and no open ones', async () => {
  const { owner, slug } = await newTeam();
  const put = (id: string, ended: string) => sql()`
    insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
    select ${id}, a.id, ${`${id}@x.test`}, 'member', ${Buffer.from(id)}, ${owner.userId}, now() - ${ended}::interval
    from accounts a where a.slug = ${slug}`;
  await put('inv_old', '31 days');
  await put('inv_late', '29 days');
  await put('inv_open', '-1 day');
  expect((await sweep(runtime)).removed).toMatchObject({ invitations: 1 });
  const left = await sql()`select i.id from invitations i join accounts a on a.id = i.account_id
    where a.slug = ${slug} order by i.id`;
  expect(left.map(({ id }) => id)).toEqual(['inv_late', 'inv_open']);
});
