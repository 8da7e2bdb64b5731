import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createPersonWithEmail } from '@/test/support/operator-fixture';
import type { EmailMessage } from '../../platform/ports/ports';
import type { SignUpPolicy } from '../../platform/settings/access-settings';
import { createAuthAdapter } from '../sessions/adapter';
import { authOptions, findRefusal } from '../sessions/options';
import { checkSignUpAllowed } from './check-sign-up';
import { inviteToSignUp, setSignUp } from './manage-sign-up';

const BY = { name: 'operator:test' };
const KNOWN = 'known@elsewhere.test';
const ADDRESSES = {
  known: KNOWN,
  operator: 'boss@elsewhere.test',
  support: 'help@elsewhere.test',
  invited: 'invited@elsewhere.test',
  teamInvited: 'mate@elsewhere.test',
  colleague: 'ada@example.test',
  subdomain: 'ada@sub.example.test',
  outsider: 'eve@elsewhere.test',
};

let harness: Harness;
const sent: EmailMessage[] = [];
beforeAll(async () => {
  harness = await startHarness({
    env: {
      OPERATORS: ADDRESSES.operator,
      SUPPORT: ADDRESSES.support,
      SIGN_UP_POLICY: 'domains',
      SIGN_UP_DOMAINS: 'example.test',
    },
    ports: { mail: { send: async (message: EmailMessage) => void sent.push(message) } },
  });
  const { userId } = await createPersonWithEmail(harness, KNOWN);
  const team = await harness.team(userId, 'mates', 0n);
  await harness.runtime.sql`
    insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
    values ('inv_1', ${team}, ${ADDRESSES.teamInvited}, 'member', 'x', ${userId}, now() + interval '1 day')`;
});
beforeEach(async () => {
  sent.length = 0;
  await harness.runtime.sql`truncate rate_windows, verification_tokens, sign_up_policy, sign_up_invitations`;
});
afterAll(() => harness.close());

const choose = (policy: SignUpPolicy, domains: string[] = []) =>
  setSignUp(harness.runtime, BY, { choice: { policy, domains } });

describe('the sign-up policy', () => {
  const always = ['known', 'operator', 'support', 'invited', 'teamInvited'];
  it.each([
    ['open', Object.keys(ADDRESSES)],
    ['invite', always],
    ['domains', [...always, 'colleague']],
  ] as const)('%s admits %j', async (policy, admitted) => {
    await inviteToSignUp(harness.runtime, BY, ADDRESSES.invited);
    await choose(policy, ['example.test']);
    const allowed = [];
    for (const [name, email] of Object.entries(ADDRESSES))
      if (await checkSignUpAllowed(harness.runtime, email.toUpperCase())) allowed.push(name);
    expect(new Set(allowed)).toEqual(new Set(admitted));
  });

  it('is that of the settings until an operator chooses another, and again after that', async () => {
    const check = () => checkSignUpAllowed(harness.runtime, ADDRESSES.colleague);
    expect(await check()).toBe(true);
    await choose('invite');
    expect(await check()).toBe(false);
    await setSignUp(harness.runtime, BY, { choice: null });
    expect(await check()).toBe(true);
    const rows = await harness.runtime
      .sql`select details->>'policy' as policy from audit_events where action = 'sign_up.policy' order by id desc limit 2`;
    expect(rows.map(({ policy }) => policy)).toEqual(['settings', 'invite']);
    await expect(choose('domains', ['no domain'])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(choose('domains', [])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('admits nobody new by an address that the sign-in did not verify, unless it is open @F26', async () => {
    const unproved = (email: string) => checkSignUpAllowed(harness.runtime, email, { verified: false });
    expect(await unproved(ADDRESSES.colleague)).toBe(false);
    expect(await unproved(ADDRESSES.operator)).toBe(false);
    expect(await unproved(KNOWN)).toBe(true);
    await choose('open');
    expect(await unproved(ADDRESSES.colleague)).toBe(true);
  });

  it('says that an address must be verified where a provider did not', async () => {
    const attempt = (provider: string) => ({ user: { email: ADDRESSES.colleague }, account: { provider } });
    expect(await findRefusal(harness.runtime, attempt('github'), null)).toBe('SignUpUnverified');
    expect(await findRefusal(harness.runtime, attempt('google'), ADDRESSES.colleague)).toBeNull();
    await choose('invite');
    expect(await findRefusal(harness.runtime, attempt('google'), ADDRESSES.colleague)).toBe('SignUpRefused');
  });

  it('believes Google only for addresses at Gmail and in a Workspace @F26', async () => {
    const signIn = async (claims: object) => {
      const email = ADDRESSES.colleague;
      return await authOptions(harness.runtime).callbacks?.signIn?.({
        user: { id: 'new', email },
        account: { provider: 'google', providerAccountId: '1', type: 'oauth' },
        profile: { email, email_verified: true, ...claims } as never,
      });
    };
    expect(await signIn({ hd: 'example.test' })).toBe(true);
    // Such as the account of someone who once had this address.
    expect(await signIn({})).toBe('/sign-in?error=SignUpUnverified');
  });

  it('is enforced where people are created, and uses up the invitation @F26', async () => {
    await choose('invite');
    await inviteToSignUp(harness.runtime, BY, ADDRESSES.invited);
    const create = async (email: string) =>
      await createAuthAdapter(harness.runtime, { proof: { verifiedEmail: email } }).createUser?.({
        email,
        emailVerified: null,
      } as never);
    await expect(create(ADDRESSES.outsider)).rejects.toThrow('refuses this address');
    expect(await create(ADDRESSES.invited)).toMatchObject({ email: ADDRESSES.invited });
    const [row] = await harness.runtime.sql`select used_at is not null as used from sign_up_invitations`;
    expect(row).toEqual({ used: true });
    const people = await harness.runtime.sql`select 1 from users where email = ${ADDRESSES.outsider}`;
    expect(people).toHaveLength(0);
  });

  it('answers a request for a link alike, and explains a refusal in the inbox only @F26', async () => {
    await choose('invite');
    const request = async (email: string) => {
      const { adapter, providers, callbacks } = authOptions(harness.runtime, '198.51.100.1');
      const [provider] = providers as unknown as {
        options: { sendVerificationRequest(email: object): Promise<void> };
      }[];
      const attempt = {
        user: { email },
        account: { provider: 'email' },
        email: { verificationRequest: true },
      };
      expect(await callbacks?.signIn?.(attempt as never)).toBe(true);
      const url = 'https://gateway.example/x?callbackUrl=%2Fdashboard';
      await provider?.options.sendVerificationRequest({ identifier: email, token: 't', url });
      const stored = { identifier: email, token: email, expires: new Date(Date.now() + 60_000) };
      await adapter?.createVerificationToken?.(stored);
    };
    await request(ADDRESSES.outsider);
    await request(KNOWN);
    expect(sent.map(({ subject }) => subject)).toEqual([
      'You cannot sign up to Tool Gateway yet',
      'Sign in to Tool Gateway',
    ]);
    const tokens = await harness.runtime.sql`select identifier from verification_tokens`;
    expect(tokens).toEqual([{ identifier: KNOWN }]);
  });
});

describe('single sign-on', () => {
  const attempt = (email: string, verified: boolean | undefined) => ({
    user: { email },
    account: { provider: 'oidc', providerAccountId: 'sub-1' },
    profile: { email, email_verified: verified },
  });
  const refusal = async (email: string, verified: boolean | undefined) =>
    await findRefusal(harness.runtime, attempt(email, verified), verified === true ? email : null);

  it.each([false, undefined])('is refused if email_verified is %s @F27', async (verified) => {
    expect(await refusal('new@example.test', verified)).toBe('OidcEmailUnverified');
  });

  it('opens an existing account only if the person has verified its address @F27', async () => {
    expect(await refusal('new@example.test', true)).toBeNull();
    expect(await refusal(ADDRESSES.outsider, true)).toBe('SignUpRefused');
    const { userId } = await createPersonWithEmail(harness, 'reserved@example.test');
    expect(await refusal('reserved@example.test', true)).toBe('OAuthAccountNotLinked');
    await harness.runtime.sql`update users set email_verified = now() where id = ${userId}`;
    expect(await refusal('reserved@example.test', true)).toBeNull();
  });
});

describe('PROVISIONING=closed', () => {
  it('refuses keys without sign-up', async () => {
    const closed = await startHarness({ env: { PROVISIONING: 'closed' } });
    const answer = await closed.request('POST', '/v1/auth/provision');
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(answer.body.error.resolution_hint).toContain('/sign-in');
    await closed.close();
  });
});
