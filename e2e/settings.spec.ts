import { callTool, createPerson, expect, signIn, test } from './support/fixtures';

test('a new name is saved and shown', async ({ page }) => {
  const { email } = await createPerson('rename', 0);
  await signIn(page, email);
  await page.goto('/dashboard/settings');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Account: Ada Lovelace' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada Lovelace');
});

test('other sessions can be signed out, the current one cannot', async ({ page, newPage }) => {
  const { email } = await createPerson('sessions', 0);
  await signIn(page, email);
  const other = await newPage();
  await signIn(other, email);
  await other.goto('/dashboard');
  await expect(other).toHaveURL('/dashboard');

  await page.goto('/dashboard/settings');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText('This browser');
  await expect(sessions.first().getByRole('button')).toHaveCount(0);
  await sessions.nth(1).getByRole('button', { name: 'Sign out' }).click();
  await expect(sessions).toHaveCount(1);

  await other.goto('/dashboard');
  await expect(other).toHaveURL(/\/sign-in/);
});

test('an account is deleted only after its email is typed; its keys and sessions then stop working', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('delete', 1);
  await signIn(page, email);
  await page.goto('/dashboard/settings');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('$1.00');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: email })).toBeVisible();
  expect((await callTool(request, key, 'echo', { message: 'x' })).status).toBe(200);

  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL('/goodbye');
  expect((await callTool(request, key, 'echo', { message: 'x' })).status).toBe(401);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/sign-in/);
  // Signing in with the same address creates a new, empty account.
  await signIn(page, email);
  await page.goto('/dashboard');
  await expect(page.getByRole('main')).toContainText('$0.00');
  await page.goto('/dashboard/keys');
  await expect(page.getByText('No keys yet')).toBeVisible();
});
