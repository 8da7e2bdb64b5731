import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { createAuthAdapter } from './adapter';
import { createSignInLink, isSignInLinkValid } from './create-sign-in-link';
import { renderSignInEmail } from './render-sign-in-email';
import { resolveActor } from './resolve-actor';
import { safeRedirect } from './safe-redirect';
import { hashSessionToken } from './session-token';

const BASE = 'https://gateway.example';

describe('the redirect after a sign-in', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://evil.example/x',
    'javascript:alert(1)',
    'data:text/html,x',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    'http://gateway.example/',
    'https://gateway.example@evil.example',
    'https://gateway.example.evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'https://evil.example#gateway.example',
    '////evil.example',
    'ftp://gateway.example',
    '/..//evil.example/%',
    'https:\\evil.example',
  ])('to %s stays on our origin @B17', (target) => {
    expect(new URL(safeRedirect(target, BASE)).origin).toBe(BASE);
    expect(new URL(safeRedirect(target, BASE)).pathname.startsWith('//')).toBe(false);
  });

  it('to a path of the gateway keeps its query', () => {
    expect(safeRedirect('/claim?token=abc', BASE)).toBe(`${BASE}/claim?token=abc`);
    expect(safeRedirect(`${BASE}/dashboard/keys`, BASE)).toBe(`${BASE}/dashboard/keys`);
  });
});

describe('sessions and links in the database', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('a session is found by its token and stored as a hash @B18', async () => {
    const { userId } = await harness.person();
    const adapter = createAuthAdapter(harness.runtime);
    const expires = new Date(Date.now() + 3_600_000);
    const session = await adapter.createSession?.({ sessionToken: 'the-token', userId, expires });
    expect(session?.sessionToken).toBe('the-token');
    const rows = await harness.runtime.sql`select session_token from sessions`;
    expect(rows).toMatchObject([{ session_token: hashSessionToken('the-token') }]);
    expect((await adapter.getSessionAndUser?.('the-token'))?.user.id).toBe(userId);
    await adapter.deleteSession?.('the-token');
    expect(await adapter.getSessionAndUser?.('the-token')).toBeNull();
  });

  it('tokens of sign-in providers are not stored', async () => {
    const { userId } = await harness.person();
    await createAuthAdapter(harness.runtime).linkAccount?.({
      userId,
      type: 'oauth',
      provider: 'github',
      providerAccountId: '1',
      access_token: 'gho_secret',
      refresh_token: 'ghr_secret',
    });
    const [row] = await harness.runtime.sql`select to_jsonb(i)::text as text from identities i`;
    expect(row?.text).not.toContain('secret');
  });

  it('the token of a sign-in link is stored only as a hash', async () => {
    const link = new URL(await createSignInLink(harness.runtime, 'operator@localhost'));
    const token = link.searchParams.get('token') as string;
    const [row] = await harness.runtime.sql`select token from verification_tokens`;
    expect(row?.token).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.token).not.toBe(token);
  });

  it('a link is valid for its address until it is used or expires', async () => {
    const email = 'once@example.test';
    const readLink = async () => {
      const { searchParams } = new URL(await createSignInLink(harness.runtime, email));
      return { email, token: searchParams.get('token') ?? '' };
    };
    const { runtime } = harness;
    const [used, expired] = [await readLink(), await readLink()];
    expect(await isSignInLinkValid(runtime, used)).toBe(true);
    for (const wrong of [
      { ...used, email: 'eve@example.test' },
      { ...used, token: 'x' },
      { email, token: '' },
    ])
      expect(await isSignInLinkValid(runtime, wrong)).toBe(false);
    const hash = createHash('sha256').update(`${used.token}${runtime.settings.authSecret}`).digest('hex');
    await createAuthAdapter(runtime).useVerificationToken?.({ identifier: email, token: hash });
    expect(await isSignInLinkValid(runtime, used)).toBe(false);
    expect(await isSignInLinkValid(runtime, expired)).toBe(true);
    await runtime.sql`update verification_tokens set expires = now() - interval '1 second' where identifier = ${email}`;
    expect(await isSignInLinkValid(runtime, expired)).toBe(false);
  });

  it('the procedures of one browser request read its session once @F41', async () => {
    const { runtime } = harness;
    const { userId } = await harness.person();
    const credentials = { kind: 'session' as const, token: await newSession(harness, userId) };
    const request = { runtime, credentials, transport: 'trpc' as const, session: {} };
    await Promise.all([resolveActor(request, true), resolveActor(request, true)]);
    await runtime.sql`delete from sessions where user_id = ${userId}`;
    expect(await resolveActor(request, true)).toMatchObject({ userId });
    await expect(resolveActor({ ...request, session: {} }, true)).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
    });
  });

  it('the content of the email cannot be injected', () => {
    const brand = { name: 'Acme <Tools>', color: '#1f51d6' };
    const mail = renderSignInEmail('a@b.c', `${BASE}/x?callbackUrl="><script>`, brand);
    expect(mail.subject).toBe('Sign in to Acme <Tools>');
    expect(mail.html).toContain('Acme &#60;Tools&#62;');
    expect(mail.html).not.toContain('<script>');
  });
});
