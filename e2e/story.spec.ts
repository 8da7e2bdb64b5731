import {
  callTool,
  expect,
  followLink,
  giveCredit,
  newEmail,
  requestSignInLink,
  secretIn,
  test,
} from './support/fixtures';

test('the whole journey: get a key on the home page, call, claim, pay and revoke', {
  tag: '@journey',
}, async ({ page, request }) => {
  const email = newEmail('story');

  await page.goto('/');
  await page.getByRole('button', { name: 'Get a key' }).click();
  const agentKey = await secretIn(page);
  await page.getByRole('button', { name: 'Call the tool' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'cost $0.00' })).toBeVisible();

  await page.getByRole('link', { name: 'Claim this key' }).click();
  await expect(page.getByRole('heading', { name: 'Claim this key' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in to claim' }).click();
  await requestSignInLink(page, email);
  await followLink(page, email);

  await expect(page.getByText(email)).toBeVisible();
  await page.getByRole('button', { name: 'Claim this key' }).click();
  await expect(page.getByRole('heading', { name: 'The key is yours' })).toBeVisible();

  // The key, its call and its cost are in the dashboard.
  await page.getByRole('link', { name: 'Go to dashboard' }).click();
  const calls = page.getByRole('table', { name: 'Recent calls' });
  await expect(calls.getByRole('row').nth(1)).toContainText('math.evaluate');
  await expect(calls.getByRole('row').nth(1)).toContainText('$0.00');
  await page.getByRole('link', { name: 'Keys' }).first().click();
  const keys = page.getByRole('table', { name: 'Keys' });
  await expect(keys).toContainText(`${agentKey.slice(0, 12)}…${agentKey.slice(-4)}`);

  // Create a key and make a paid call with it.
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('story key');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const ownKey = await secretIn(dialog);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  await giveCredit({ email }, 1);
  const paid = await callTool(request, ownKey, 'spend', { amount_usd: 0.0125 });
  expect(paid).toMatchObject({ status: 200, body: { usage: { cost: 0.0125 } } });
  await page.goto('/dashboard');
  await expect(calls.getByRole('row').nth(1)).toContainText('diagnostics.spend');
  await expect(calls.getByRole('row').nth(1)).toContainText('$0.0125');
  await expect(page.getByRole('main')).toContainText('$0.98');

  // Revoked: the next request is refused.
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'Actions for story key' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  const refused = await callTool(request, ownKey, 'echo', { message: 'still there?' });
  expect(refused).toMatchObject({ status: 401, body: { error: { code: 'AUTH_FAILED' } } });
  expect((await callTool(request, agentKey, 'echo', { message: 'hello' })).status).toBe(200);
});
