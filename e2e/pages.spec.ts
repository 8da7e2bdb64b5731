import type { Page } from 'playwright/test';
import { type CheckedPage, checkAccessibility } from './support/check-accessibility';
import {
  callTool,
  createPerson,
  expect,
  newEmail,
  provision,
  requestSignInLink,
  signIn,
  test,
} from './support/fixtures';

const PUBLIC: CheckedPage[] = [
  { name: 'landing', path: '/' },
  {
    name: 'landing-called',
    path: '/',
    async prepare(page) {
      await page.getByRole('button', { name: 'Get a key' }).click();
      await page.getByRole('button', { name: 'Call the tool' }).click();
      await expect(page.getByRole('status').filter({ hasText: 'cost' })).toBeVisible();
    },
  },
  { name: 'tools', path: '/tools' },
  { name: 'tools-search', path: '/tools?q=convert%20units' },
  { name: 'tools-nothing', path: '/tools?q=zzqxjwvk' },
  { name: 'tool', path: '/tools/diagnostics' },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-in-refused', path: '/sign-in?error=Verification' },
  { name: 'sign-in-sent', path: '/sign-in?sent=1' },
  {
    name: 'inbox',
    path: '/sign-in',
    async prepare(page) {
      await requestSignInLink(page, newEmail('shown'));
      await page.getByRole('link', { name: 'Open the local inbox' }).click();
      await expect(page.getByRole('article').first()).toBeVisible();
    },
  },
  { name: 'claim-wrong', path: '/claim?token=wrong' },
  { name: 'join-wrong', path: '/join?token=wrong' },
  { name: 'not-found', path: '/no/such/page' },
];

const SIGNED_IN: CheckedPage[] = [
  { name: 'overview', path: '/dashboard' },
  { name: 'keys', path: '/dashboard/keys' },
  { name: 'keys-create', path: '/dashboard/keys?create=1', prepare: (page) => seen(page, 'dialog') },
  {
    name: 'key',
    path: '/dashboard/keys',
    async prepare(page) {
      await page.getByRole('table').getByRole('link').first().click();
      await expect(page.getByRole('heading', { level: 1, name: 'API key' })).toBeVisible();
    },
  },
  {
    name: 'key-revoke',
    path: '/dashboard/keys',
    async prepare(page) {
      await page.getByRole('button', { name: 'Actions for' }).first().click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await seen(page, 'alertdialog');
    },
  },
  { name: 'settings', path: '/dashboard/settings' },
];

for (const shown of PUBLIC)
  test(`${shown.name} passes the accessibility checks, in light and dark, wide and on a phone`, async ({
    page,
  }) => {
    await checkAccessibility(page, shown);
  });

test('the claim page passes the accessibility checks, before signing in and after', async ({
  page,
  request,
}) => {
  const { claimPath } = await provision(request);
  await checkAccessibility(page, { name: 'claim', path: claimPath });
  const { email } = await createPerson('looks', 0);
  await signIn(page, email);
  await checkAccessibility(page, { name: 'claim-confirm', path: claimPath });
});

test('the dashboard of a new account passes the accessibility checks', async ({ page }) => {
  const { email } = await createPerson('new', 0);
  await signIn(page, email);
  await checkAccessibility(page, { name: 'overview-empty', path: '/dashboard' });
});

test.describe('the dashboard', () => {
  test.setTimeout(180_000);
  test('passes the accessibility checks, in light and dark, wide and on a phone', async ({
    page,
    request,
  }) => {
    const { email, key } = await createPerson('looks', 25);
    for (let i = 0; i < 5; i++) await callTool(request, key, 'echo', { message: 'hello' });
    for (const usd of [0.001, 0.25, 1]) await callTool(request, key, 'spend', { amount_usd: usd });
    await signIn(page, email);
    for (const shown of SIGNED_IN) await test.step(shown.name, () => checkAccessibility(page, shown));
  });
});

async function seen(page: Page, role: 'dialog' | 'alertdialog'): Promise<void> {
  await expect(page.getByRole(role)).toBeVisible();
}
