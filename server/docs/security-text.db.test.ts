import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readSettings } from '../platform/settings/settings';
import { writeSecurityText } from './well-known';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it.each([
  ['security@example.com', 'mailto:security@example.com'],
  ['https://example.com/report', 'https://example.com/report'],
])('security.txt names the contact %s and expires within a year', async (contact, uri) => {
  const { securityContact } = readSettings({ NODE_ENV: 'test', SECURITY_CONTACT: contact });
  const { runtime } = harness;
  const text =
    (await writeSecurityText({ ...runtime, settings: { ...runtime.settings, securityContact } })) ?? '';
  expect(text).toContain(`Contact: ${uri}\n`);
  expect(text).toContain(`Canonical: ${harness.baseUrl}/.well-known/security.txt\n`);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
});

it('security.txt needs a contact, and an invalid contact is refused at startup', async () => {
  expect(await writeSecurityText(harness.runtime)).toBeNull();
  expect(() => readSettings({ NODE_ENV: 'test', SECURITY_CONTACT: 'ask us' })).toThrow('SECURITY_CONTACT');
});
