import type { Page } from 'playwright/test';
import { callTool, createPerson, expect, secretIn, signIn, test } from './support/fixtures';
import { expectFocusTrapped, openWithShortcuts, tabTo } from './support/keyboard';
import { CARDS, figure, microusd } from './support/purchases';

/** These tests never use the pointer. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test('a key is created with the keyboard alone, shows its secret once, and works', async ({
  page,
  request,
}) => {
  const { email } = await createPerson('walk-key', 1);
  await signIn(page, email);
  await openWithShortcuts(page, '/dashboard');
  await press(page, 'g', 'k');
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  const create = page.getByRole('button', { name: 'Create key' });
  await tabTo(page, create);
  await press(page, 'Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expectFocusTrapped(page, dialog);
  await press(page, 'Escape');
  await expect(dialog).toBeHidden();
  await expect(create).toBeFocused();

  await press(page, 'Enter');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('walked');
  await press(page, 'Tab');
  await page.keyboard.type('0.25');
  await press(page, 'Enter');
  const secret = await secretIn(dialog);
  await expectFocusTrapped(page, dialog);
  await tabTo(page, dialog.getByRole('button', { name: 'Done' }));
  await press(page, 'Enter');
  await expect(dialog).toBeHidden();
  await expect(create).toBeFocused();
  expect(await page.content()).not.toContain(secret);
  expect((await callTool(request, secret, 'spend', { amount_usd: 0.2 })).status).toBe(200);

  // Reach the new key through its row: sort, move down, open, and return.
  await tabTo(page, page.getByRole('button', { name: 'Name', exact: true }));
  await press(page, 'Enter');
  await expect(page).toHaveURL('/dashboard/keys?sort=name.asc');
  const rows = page.getByRole('table').getByRole('link');
  await tabTo(page, rows.first());
  await press(page, 'End');
  await expect(rows.last()).toBeFocused();
  await expect(rows.last()).toContainText('walked');
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'walked' })).toBeVisible();
});

test('credit is bought with the keyboard alone, through the payment page and back', async ({ page }) => {
  const { email } = await createPerson('walk-pay', 0);
  await signIn(page, email);
  await openWithShortcuts(page, '/dashboard');
  await press(page, 'Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or go to' })).toBeFocused();
  await page.keyboard.type('buy');
  await expect(page.getByRole('option', { name: 'Buy credit' })).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible();
  const amount = page.getByLabel('Amount', { exact: true });
  await tabTo(page, amount);
  await press(page, 'Control+a');
  await page.keyboard.type('25');
  await tabTo(page, page.getByRole('button', { name: 'Continue to payment' }));
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Your order' })).toBeVisible();
  await tabTo(page, page.getByLabel('Card number'));
  await page.keyboard.type(CARDS.visa);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await page.goto('/dashboard/billing');
  const available = figure(page, 'Available').locator('data');
  await expect.poll(async () => microusd((await available.getAttribute('value')) ?? '')).toBe(25_000_000n);
});

test('a tool is found and run in the playground with the keyboard alone', async ({ page }) => {
  const { email } = await createPerson('walk-run', 1);
  await signIn(page, email);
  await openWithShortcuts(page, '/dashboard');
  await press(page, 'Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or go to' })).toBeFocused();
  await page.keyboard.type('evaluate an expression');
  await expect(page.getByRole('option').first()).toContainText('Math');
  await press(page, 'Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Playground' })).toBeVisible();
  await expect(page).toHaveURL(/tool=math/);
  const field = page.getByRole('textbox', { name: /^Expression/i }).first();
  await tabTo(page, field);
  await press(page, 'Control+a');
  await page.keyboard.type('6 * 7');
  await tabTo(page, page.getByRole('button', { name: /^Run/ }));
  await press(page, 'Enter');
  await expect(page.getByText('Succeeded').first()).toBeVisible();
  await expect(page.getByRole('main')).toContainText('42');
});

test('the skip link, the phone’s bar and its “More” menu are reachable and visible', async ({ page }) => {
  const { email } = await createPerson('walk-frame', 0);
  await signIn(page, email);
  await page.goto('/dashboard/settings');
  await press(page, 'Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await press(page, 'Enter');
  await expect(page.locator('#main')).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const more = page.getByRole('button', { name: 'More' });
  await tabTo(page, more, 'Shift+Tab');
  await press(page, 'Enter');
  const places = page.getByRole('dialog', { name: 'More places' });
  await expect(places).toBeVisible();
  await press(page, 'Escape');
  await expect(places).toBeHidden();
  await expect(more).toBeFocused();
});
