import { callTool, createPerson, expect, secretIn, signIn, test } from './support/fixtures';

test('with the keyboard alone: a key with a limit, its secret once, more credit, revoked', async ({
  page,
  request,
}) => {
  const { email } = await createPerson('keys', 2);
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  const keyboard = page.keyboard;

  await page.getByRole('button', { name: 'Create key' }).focus();
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await keyboard.type('keyboard key');
  await keyboard.press('Tab');
  await keyboard.type('0.5');
  await keyboard.press('Enter');
  const output = dialog.getByRole('status', { name: 'API key' });
  await expect(output).toBeVisible();
  const secret = await secretIn(dialog);
  // Escape must not lose what is shown once.
  await keyboard.press('Escape');
  await expect(output).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).focus();
  await keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Create key' })).toBeFocused();

  // Gone for good: not in the page, not after a reload.
  expect(await page.content()).not.toContain(secret);
  await page.reload();
  expect(await page.content()).not.toContain(secret);
  const row = page.getByRole('row').filter({ hasText: 'keyboard key' });
  await expect(row).toContainText('$0.00 of $0.50');

  // The limit holds, inside the account's balance.
  expect((await callTool(request, secret, 'spend', { amount_usd: 0.4 })).status).toBe(200);
  const refused = await callTool(request, secret, 'spend', { amount_usd: 0.4 });
  expect(refused).toMatchObject({ status: 402, body: { error: { code: 'INSUFFICIENT_CREDITS' } } });

  const actions = page.getByRole('button', { name: 'Actions for keyboard key' });
  await actions.focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Add credits' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByLabel('Amount')).toBeFocused();
  await keyboard.type('1');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(row).toContainText('$0.40 of $1.50');
  expect((await callTool(request, secret, 'spend', { amount_usd: 0.4 })).status).toBe(200);

  await actions.focus();
  await keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Revoke' }).focus();
  await keyboard.press('Enter');
  const alert = page.getByRole('alertdialog');
  await expect(alert.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(alert).toBeHidden();
  await expect(row).toBeHidden();
  expect((await callTool(request, secret, 'echo', { message: 'x' })).status).toBe(401);
});

test('a limit that is no amount is named beside its field and nothing is made', async ({ page }) => {
  const { email } = await createPerson('amount', 0);
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  // A head and the first key.
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Credit limit').fill('five');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Credit limit' })).toBeVisible();
  await expect(dialog.getByLabel('Credit limit')).toBeFocused();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('a key of someone else is not found', async ({ page }) => {
  const mine = await createPerson('mine', 0);
  const theirs = await createPerson('theirs', 0);
  await signIn(page, theirs.email);
  await page.goto('/dashboard/keys');
  const link = page.getByRole('row').nth(1).getByRole('link');
  const path = (await link.getAttribute('href')) ?? '';
  await page.context().clearCookies();
  await signIn(page, mine.email);
  const response = await page.goto(path);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('main')).not.toContainText('API key');
});
