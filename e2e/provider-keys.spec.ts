import { randomBytes } from 'node:crypto';
import type { APIRequestContext } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signIn, test } from './support/fixtures';

const secret = () => `sk-test-secret-${randomBytes(16).toString('hex')}`;
const EMBED = { tool: 'embeddings', skill: 'embed', input: { texts: ['hello'] } };

/** The estimated cost of a call, and whether a provider key is available. */
async function dryRun(request: APIRequestContext, key: string) {
  const answer = await request.post('/v1/tools/call', {
    headers: { Authorization: `Bearer ${key}` },
    data: { ...EMBED, dry_run: true },
  });
  expect(answer.status()).toBe(200);
  return (await answer.json()) as { credentials_ok: boolean; estimated_cost_usd: number };
}

test('a provider key is saved, used by calls at a reduced price, and never shown again', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('byok', 1);
  const before = await dryRun(request, key);
  expect(before.credentials_ok).toBe(false);
  await signIn(page, email);
  await page.goto('/dashboard/provider-keys');
  const openai = page.getByRole('region', { name: 'OpenAI' });
  await openai.getByRole('button', { name: 'Add key for OpenAI' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Key', { exact: true });

  // The problem is shown at the field.
  await field.fill('sk short');
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Key:' })).toBeVisible();
  await expect(field).toBeFocused();

  const value = secret();
  await field.fill(` ${value} `);
  await field.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(openai.getByText('Your key is used')).toBeVisible();
  await expect(openai.getByRole('button', { name: 'Add another for OpenAI' })).toBeFocused();
  const traces = async () =>
    (await page.content()) +
    (await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])));
  expect(await traces()).not.toContain(value);
  await page.reload();
  expect(await traces()).not.toContain(value);

  // An agent sees the same, and its calls cost less.
  const listed = await request.get('/v1/account/requirements', {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { requirements } = await listed.json();
  expect(JSON.stringify(requirements)).not.toContain(value);
  expect(requirements.find((slot: { name: string }) => slot.name === 'openai')).toMatchObject({
    configured: true,
    entries: [{ label: 'default', is_default: true }],
  });
  const after = await dryRun(request, key);
  expect(after.credentials_ok).toBe(true);
  expect(after.estimated_cost_usd).toBeLessThanOrEqual(before.estimated_cost_usd * 0.05 + 1e-6);
  await page.goto('/tools/embeddings');
  await expect(page.getByText('Your OpenAI key is used')).toBeVisible();
});

test('several keys of a provider have labels and a default, and removing one says which key is used next', async ({
  page,
}) => {
  const { email } = await createPerson('labels', 0);
  await signIn(page, email);
  // As a link from another page opens it.
  await page.goto('/dashboard/provider-keys?add=exa');
  const dialog = page.getByRole('dialog', { name: 'Add a key for Exa' });
  await dialog.getByLabel('Key', { exact: true }).fill(secret());
  await dialog.getByLabel('Label').fill('home');
  await dialog.getByRole('button', { name: 'Save key' }).click();
  const exa = page.getByRole('region', { name: 'Exa' });
  await exa.getByRole('button', { name: 'Add another for Exa' }).click();
  await dialog.getByLabel('Key', { exact: true }).fill(secret());
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Label:' })).toBeVisible();
  await dialog.getByLabel('Label').fill('work');
  await dialog.getByRole('checkbox', { name: 'Use as default' }).uncheck();
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await expect(dialog).toBeHidden();

  const saved = exa.getByRole('list', { name: 'Saved keys for Exa' }).getByRole('listitem');
  await expect(saved).toHaveCount(2);
  await expect(saved.filter({ hasText: 'home' })).toContainText('Default');
  await exa.getByRole('button', { name: 'Make default “work” for Exa' }).click();
  await expect(saved.filter({ hasText: 'work' })).toContainText('Default');

  await exa.getByRole('button', { name: 'Remove “work” for Exa' }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText('Calls will use “home”');
  await alert.getByRole('button', { name: 'Remove key' }).click();
  await expect(saved).toHaveCount(1);
  await page.getByRole('radio', { name: 'Saved (1)' }).check();
  await expect(page.getByRole('region', { name: 'OpenAI' })).toBeHidden();
  await expect(exa).toBeVisible();
});

test('the provider keys page passes the accessibility checks', async ({ page, request }) => {
  test.slow();
  const { email, key } = await createPerson('keys-look', 0);
  await signIn(page, email);
  await checkAccessibility(page, {
    name: 'provider-keys-none-saved',
    path: '/dashboard/provider-keys?show=saved',
  });
  for (const label of ['home', 'work']) {
    const saved = await request.put('/v1/account/requirements/openai', {
      headers: { Authorization: `Bearer ${key}` },
      data: { value: secret(), label },
    });
    expect(saved.status()).toBe(200);
  }
  await checkAccessibility(page, { name: 'provider-keys', path: '/dashboard/provider-keys' });
  await checkAccessibility(page, {
    name: 'provider-keys-add',
    path: '/dashboard/provider-keys?add=openai',
    prepare: async () => expect(page.getByRole('dialog').getByLabel('Label')).toBeVisible(),
  });
});
