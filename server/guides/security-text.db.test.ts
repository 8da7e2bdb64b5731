import { expect, it } from 'vitest';
import { startHarness } from '../testing/harness';
import { writeSecurityText } from './well-known';

it.each([
  ['security@example.com', 'mailto:security@example.com'],
  ['https://example.com/report', 'https://example.com/report'],
])('security.txt names the contact %s and expires within a year', async (contact, uri) => {
  const harness = await startHarness({ env: { SECURITY_CONTACT: contact } });
  try {
    const text = (await writeSecurityText(harness.runtime)) ?? '';
    expect(text).toContain(`Contact: ${uri}\n`);
    expect(text).toContain(`Canonical: ${harness.baseUrl}/.well-known/security.txt\n`);
    const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');
    expect(expires).toBeGreaterThan(Date.now());
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
  } finally {
    await harness.close();
  }
});

it('there is no security.txt without a contact, and a bad contact is refused at the start', async () => {
  const harness = await startHarness();
  try {
    expect(await writeSecurityText(harness.runtime)).toBeNull();
  } finally {
    await harness.close();
  }
  await expect(startHarness({ env: { SECURITY_CONTACT: 'ask us' } })).rejects.toThrow('SECURITY_CONTACT');
});
