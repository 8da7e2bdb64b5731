import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import type { EmailMessage } from '../../platform/ports/ports';
import { authOptions } from './options';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    env: {
      GITHUB_CLIENT_ID: 'github',
      GITHUB_CLIENT_SECRET: 'secret of github',
      GOOGLE_CLIENT_ID: 'google',
      GOOGLE_CLIENT_SECRET: 'secret of google',
    },
    ports: { mail: { send: async () => undefined } },
  });
});
afterAll(() => harness.close());

it('only the OpenID Connect provider can open an existing account, and it can be the only way in', async () => {
  const env = {
    OIDC_ISSUER: 'https://login.example.test/',
    OIDC_CLIENT_ID: 'gateway',
    OIDC_CLIENT_SECRET: 'secret of oidc',
    OIDC_ONLY: '1',
    GITHUB_CLIENT_ID: 'github',
    GITHUB_CLIENT_SECRET: 'secret of github',
  };
  const only = await startHarness({ env, ports: { mail: { send: async () => undefined } } });
  const providers = authOptions(only.runtime).providers as unknown as Record<string, unknown>[];
  expect(providers).toMatchObject([
    {
      id: 'oidc',
      checks: ['pkce', 'state', 'nonce'],
      allowDangerousEmailAccountLinking: true,
      wellKnown: 'https://login.example.test/.well-known/openid-configuration',
    },
  ]);
  const profile = providers[0]?.profile as (claims: object) => object;
  expect(profile({ iss: 'https://login.example.test', sub: '1', email: 'Ada@x.test' })).toMatchObject({
    id: '1',
    email: 'ada@x.test',
  });
  expect(() => profile({ iss: 'https://evil.test', sub: '1' })).toThrow('another issuer');
  await only.close();
});

it('a provider that is linked to an existing account is reported by email, one of a new person is not @F24', async () => {
  const sent: EmailMessage[] = [];
  const mail = { send: async (message: EmailMessage) => void sent.push(message) };
  const runtime = { ...harness.runtime, ports: { ...harness.runtime.ports, mail } };
  const link = async (email: string, isNew: boolean) => {
    const { adapter, events } = authOptions(runtime);
    const person = { name: null, image: null, email, emailVerified: null };
    const user = isNew ? await adapter?.createUser?.(person as never) : { id: 'user', ...person };
    await events?.linkAccount?.({ user, account: { provider: 'github' }, profile: {} } as never);
  };
  await link('new@example.test', true);
  await link('known@example.test', false);
  expect(sent).toMatchObject([
    { to: 'known@example.test', text: expect.stringContaining('sign in with GitHub') },
  ]);
});

it('no other provider can open an existing account by its email address @B18', () => {
  const { providers } = authOptions(harness.runtime);
  expect(providers.map(({ id }) => id).sort()).toEqual(['email', 'github', 'google']);
  for (const provider of providers) {
    const options = provider as unknown as Record<string, unknown> & { options?: Record<string, unknown> };
    for (const given of [options, options.options ?? {}])
      expect(given.allowDangerousEmailAccountLinking ?? false).toBe(false);
  }
});
