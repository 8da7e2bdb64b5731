import type { Page } from 'playwright/test';
import { type CheckedPage, checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signIn, test } from './support/fixtures';
import { openWithShortcuts } from './support/keyboard';
import { createTeam, newTeamName } from './support/team';

const input = (page: Page) => page.getByRole('combobox', { name: 'Search or go to' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option');

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(input(page)).toBeFocused();
}

test('opens pages, tools as the API ranks them, and keys, and restores the focus', async ({ page }) => {
  const { email } = await createPerson('palette', 1);
  await signIn(page, email);
  await openWithShortcuts(page, '/dashboard/settings');
  const field = page.getByRole('textbox', { name: 'Name' });
  await field.focus();
  await openPalette(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(field).toBeFocused();

  await openPalette(page);
  await page.keyboard.type('bill');
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/billing');
  await expect(page.getByRole('dialog')).toBeHidden();

  await openPalette(page);
  await page.keyboard.type('api key');
  await page.getByRole('option', { name: /^API key/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API key' })).toBeVisible();

  const ranked = await page.request.get('/v1/tools/search?q=convert%20miles%20to%20km&limit=6');
  const names: string[] = (await ranked.json()).tools.map(
    (tool: { displayName: string }) => tool.displayName,
  );
  await openPalette(page);
  // With a pause: the best matches for the first word are replaced by those for the whole query.
  await page.keyboard.type('convert');
  await expect(options(page).filter({ hasText: 'Image editor' })).toBeVisible();
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type(' miles to km');
  await expect(options(page)).toHaveCount(names.length);
  for (const [at, name] of names.entries()) await expect(options(page).nth(at)).toContainText(name);
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: names[0] ?? '' })).toBeVisible();
  await expect(page).toHaveURL(/\/tools\//);

  // Visited places come first the next time.
  await page.goto('/dashboard/settings');
  await page.getByRole('button', { name: 'Search or go to' }).click();
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toContainText(
    names[0] ?? '',
  );
});

test('runs actions: theme, base URL, new key, switch account, invite, sign out', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { email } = await createPerson('palette-acts', 1);
  await signIn(page, email);
  await openWithShortcuts(page, '/dashboard/settings');
  const run = async (text: string, option: string | RegExp) => {
    await openPalette(page);
    await page.keyboard.type(text);
    await page.getByRole('option', { name: option }).click();
  };
  await run('dark', 'Theme: dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await run('base', 'Copy the base URL');
  await expect(page.getByText('Base URL copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(baseURL);

  await run('new key', 'Create a key');
  await expect(page.getByRole('dialog', { name: 'Create a key' })).toBeVisible();
  await expect(page).toHaveURL('/dashboard/keys');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  const slug = await createTeam(page, newTeamName('Palette'));
  await openWithShortcuts(page, '/dashboard/billing');
  await run('switch palette', /^Switch to Palette/);
  await expect(page).toHaveURL(`/dashboard/billing?billing=${slug}`);
  await run('invite', 'Invite someone');
  await expect(page.getByRole('dialog', { name: /^Invite to Palette/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await run('sign out', 'Sign out');
  await expect(page).toHaveURL('/');
  expect((await page.request.get('/dashboard', { maxRedirects: 0 })).status()).toBe(307);
});

test('single-key shortcuts navigate, never while typing, and can be switched off', async ({ page }) => {
  const { email } = await createPerson('single-keys', 0);
  await signIn(page, email);
  await openWithShortcuts(page, '/dashboard/settings');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.focus();
  await page.keyboard.type('g k / ?');
  await expect(name).toHaveValue('g k / ?');
  await expect(page).toHaveURL('/dashboard/settings');
  await page.locator('#main').focus();

  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search keys' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.locator('#main').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible();
  await page.locator('#main').focus();
  await page.keyboard.press('/');
  await expect(input(page)).toBeFocused();
  await page.keyboard.press('Escape');

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  for (const key of ['g', 'k', '/', '?']) await page.keyboard.press(key);
  await openPalette(page);
  await expect(page).toHaveURL('/dashboard/billing');
});

const PAGES: CheckedPage[] = [
  {
    name: 'palette',
    path: '/dashboard/settings',
    async prepare(page) {
      await openWithShortcuts(page, '/dashboard/settings');
      await openPalette(page);
    },
  },
  {
    name: 'palette-tools',
    path: '/dashboard/settings',
    async prepare(page) {
      await openWithShortcuts(page, '/dashboard/settings');
      await openPalette(page);
      await page.keyboard.type('read a web page');
      await expect(options(page).first()).toContainText('Web reader');
    },
  },
  {
    name: 'shortcuts',
    path: '/dashboard/settings',
    async prepare(page) {
      await openWithShortcuts(page, '/dashboard/settings');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    },
  },
];

for (const shown of PAGES)
  test(`${shown.name} passes the accessibility checks`, async ({ page }) => {
    const { email } = await createPerson('palette-look', 1);
    await signIn(page, email);
    await checkAccessibility(page, shown);
  });
