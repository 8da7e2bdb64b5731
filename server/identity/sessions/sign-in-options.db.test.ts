import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../testing/harness';
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

it('no provider can open an existing account by its email address', () => {
  const { providers } = authOptions(harness.runtime);
  expect(providers.map(({ id }) => id).sort()).toEqual(['email', 'github', 'google']);
  for (const provider of providers) {
    const options = provider as unknown as Record<string, unknown> & { options?: Record<string, unknown> };
    for (const given of [options, options.options ?? {}])
      expect(given.allowDangerousEmailAccountLinking ?? false).toBe(false);
  }
});
