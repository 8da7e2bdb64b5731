import { checkAccessibility } from './support/check-accessibility';
import {
  baseUrl,
  callTool,
  createPerson,
  expect,
  freezeAccount,
  newEmail,
  provision,
  secretIn,
  signIn,
  test,
} from './support/fixtures';

test('with the keyboard alone: a key with a limit is created, shown once, topped up and revoked', {
  tag: '@journey',
}, async ({ page, request }) => {
  const { email } = await createPerson('keys', 2);
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  const keyboard = page.keyboard;

  await page.getByRole('button', { name: 'Create key' }).focus();
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await keyboard.type('keyboard key');
  // Past the spending limit, its period and the tools.
  for (let at = 0; at < 4; at++) await keyboard.press('Tab');
  await keyboard.type('0.5');
  await keyboard.press('Enter');
  const output = dialog.getByRole('status', { name: 'API key' });
  await expect(output).toBeVisible();
  const secret = await secretIn(dialog);
  const config = dialog.getByRole('group', { name: 'MCP configuration' });
  await expect(config).toContainText(`Bearer ${secret}`);
  // Escape must not close a dialog with a one-time secret.
  await keyboard.press('Escape');
  await expect(output).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).focus();
  await keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Create key' })).toBeFocused();

  // The secret is gone: neither in the page nor after a reload.
  expect(await page.content()).not.toContain(secret);
  await page.reload();
  expect(await page.content()).not.toContain(secret);
  const row = page.getByRole('row').filter({ hasText: 'keyboard key' });
  await expect(row).toContainText('$0.00 of $0.50');

  // The limit applies in addition to the account's balance.
  expect((await callTool(request, secret, 'spend', { amount_usd: 0.4 })).status).toBe(200);
  const refused = await callTool(request, secret, 'spend', { amount_usd: 0.4 });
  expect(refused).toMatchObject({ status: 402, body: { error: { code: 'INSUFFICIENT_CREDITS' } } });

  const actions = page.getByRole('button', { name: 'Actions for keyboard key' });
  await actions.focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Raise the credit limit' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByLabel('Credit limit', { exact: true })).toBeFocused();
  await keyboard.press('Control+A');
  await keyboard.type('1.5');
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

test('a claimed key gains and loses the permission to manage the account, and can be revoked while the account is frozen', async ({
  page,
  request,
}) => {
  const { email, key: own } = await createPerson('rights', 0);
  const { key, claimPath } = await provision(request);
  const claim = await request.post('/v1/auth/claim', {
    headers: { Authorization: `Bearer ${own}` },
    data: { token: new URL(claimPath, baseUrl()).searchParams.get('token') },
  });
  const [{ id, name }] = (await claim.json()).keys_moved;
  const setLimit = async () =>
    (
      await request.put('/v1/billing/preferences', {
        headers: { Authorization: `Bearer ${key}` },
        data: { budgetLimit: 5 },
      })
    ).status();
  expect(await setLimit()).toBe(403);

  await signIn(page, email);
  const actions = page.getByRole('button', { name: `Actions for ${name}` });
  const dialog = page.getByRole('dialog');
  const right = dialog.getByLabel('Let this key manage the account');
  const openRights = async () => {
    await actions.click();
    await page.getByRole('menuitem', { name: 'Change permissions' }).click();
    await expect(right).toBeVisible();
  };
  await checkAccessibility(page, { name: 'key-rights', path: `/dashboard/keys/${id}`, prepare: openRights });
  for (const manages of [true, false]) {
    await expect(right).toBeChecked({ checked: !manages });
    await right.setChecked(manages);
    await dialog.getByRole('button', { name: 'Save permissions' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('main')).toContainText(`Can manage the account${manages ? 'Yes' : 'No'}`);
    expect(await setLimit()).toBe(manages ? 200 : 403);
    if (manages) await openRights();
  }

  await freezeAccount(email);
  await page.goto(`/dashboard/keys/${id}`);
  await actions.click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByRole('main')).toContainText('Revoked');
  expect(await setLimit()).toBe(401);
});

test('a key is created with rules, which are shown, changed and hold at once, and is rotated', async ({
  page,
  request,
}) => {
  const { email } = await createPerson('governed', 2);
  await signIn(page, email);
  await page.goto('/dashboard/keys?create=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('governed key');
  await dialog.getByText('Expiry, networks').click();
  await dialog.getByLabel('Expires').selectOption('On a date');
  await dialog.getByRole('button', { name: /^Date: / }).click();
  const picker = page.getByRole('dialog', { name: 'Date' });
  const soon = new Date(Date.now() + 3 * 24 * 3_600_000);
  const month = soon.toLocaleString('en-US', { month: 'long' });
  const day = picker.getByRole('button', { name: new RegExp(` ${soon.getDate()} ${month} `) });
  await expect(picker.getByRole('grid')).toBeVisible();
  // It opens in thirty days.
  if ((await day.count()) === 0) await picker.getByRole('button', { name: 'Previous month' }).click();
  await day.click();
  await dialog.getByLabel('Time').selectOption('12:30');
  await dialog.getByRole('radio', { name: 'Only selected' }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const missing = dialog.getByRole('alert').filter({ hasText: 'select at least one' });
  await expect(missing).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Only selected' })).toBeFocused();
  await dialog.getByRole('searchbox', { name: 'Find a tool' }).fill('diagnostics');
  await expect(
    dialog.getByRole('checkbox', { name: /^Diagnostics diagnostics, Free, paid from/ }),
  ).toBeVisible();
  await dialog.getByText('Single skills').first().click();
  await dialog.getByRole('checkbox', { name: /diagnostics\.spend/ }).check();
  await expect(missing).toBeHidden();
  await expect(dialog.getByPlaceholder('60', { exact: true })).toBeVisible();
  await dialog.getByLabel('Spending limit').fill('0.5');
  await dialog.getByLabel('Tags').fill('nightly, eu west');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await secretIn(dialog);
  await expect(dialog).toContainText('governed key · $0.50 a month · 1 skill · 2 tags · until');
  expect(await dialog.evaluate((panel) => panel.scrollTop)).toBe(0);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row').filter({ hasText: 'governed key' });
  for (const mark of ['Only 1 skill', 'nightly', 'eu west', 'Expires in'])
    await expect(row).toContainText(mark);
  expect((await callTool(request, secret, 'spend', { amount_usd: 0.4 })).status).toBe(200);
  const over = await callTool(request, secret, 'spend', { amount_usd: 0.4 });
  expect(over.body.error?.code).toBe('SPENDING_LIMIT_EXCEEDED');
  const other = await callTool(request, secret, 'echo', { message: 'x' });
  expect(other.body.error?.code).toBe('TOOL_NOT_ALLOWED');

  await row.getByRole('link').first().click();
  const main = page.getByRole('main');
  await expect(main).toContainText('$0.40 of $0.50 used');
  await expect(main).toContainText('Allowed toolsdiagnostics.spend');
  // The sample calls another tool.
  const sample = page.getByRole('tab', { name: 'curl' });
  await expect(page.getByRole('tab', { name: 'MCP' })).toBeVisible();
  await expect(sample).toHaveCount(0);
  const actions = page.getByRole('button', { name: 'Actions for governed key' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Edit rules and tags' }).click();
  await expect(dialog.getByLabel('Tags')).toHaveValue('nightly, eu west');
  await dialog.getByLabel('Allowed networks').fill('example.com');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'network' })).toBeVisible();
  await dialog.getByLabel('Allowed networks').fill('');
  await expect(dialog).toContainText('$0.40 used');
  await dialog.getByRole('radio', { name: 'All', exact: true }).check();
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(dialog).toBeHidden();
  await expect(main).toContainText('Allowed toolsAll tools');
  await expect(sample).toBeVisible();
  expect((await callTool(request, secret, 'echo', { message: 'x' })).status).toBe(200);

  await actions.click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await dialog.getByLabel('Current secret').selectOption('Stops at once');
  await dialog.getByRole('button', { name: 'Rotate key' }).click();
  const rotated = await secretIn(dialog);
  expect(rotated).not.toBe(secret);
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(rotated);
  expect((await callTool(request, secret, 'echo', { message: 'x' })).status).toBe(401);
  expect((await callTool(request, rotated, 'echo', { message: 'x' })).status).toBe(200);
});

test('each limit of a key is edited from its card, and the credit limit is removed again', async ({
  page,
  request,
}) => {
  test.setTimeout(120_000);
  const { email } = await createPerson('edits', 2);
  await signIn(page, email);
  await page.goto('/dashboard/keys?create=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('weekly key');
  await dialog.getByLabel('Spending limit').fill('0.5');
  await dialog.getByLabel('Period').selectOption('A week');
  await dialog.getByLabel('Credit limit').fill('0.3');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await secretIn(dialog);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const spend = (usd: number) => callTool(request, secret, 'spend', { amount_usd: usd });
  expect((await spend(0.25)).status).toBe(200);
  const row = page.getByRole('row').filter({ hasText: 'weekly key' });
  await expect(row).toContainText('$0.25 of $0.30 in total');
  await expect(row).toContainText('and 1 other limit');

  await row.getByRole('link').click();
  const main = page.getByRole('main');
  await expect(main).toContainText('$0.25 of $0.30 used');
  const key = new URL(page.url()).pathname;
  await page.getByRole('button', { name: 'Edit: Credit limit' }).click();
  const credit = dialog.getByLabel('Credit limit', { exact: true });
  await expect(credit).toHaveValue('$0.30');
  await credit.fill('0.2');
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'At least $0.25' })).toBeVisible();
  await credit.fill('');
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await expect(page.getByText('“weekly key” has no credit limit')).toBeVisible();
  await expect(main).toContainText('$0.25 used in total');
  expect((await spend(0.2)).status).toBe(200);
  expect((await spend(0.2)).body.error?.code).toBe('SPENDING_LIMIT_EXCEEDED');

  await page.getByRole('button', { name: 'Edit: Weekly spending limit' }).click();
  const limit = dialog.getByLabel('Spending limit');
  await expect(limit).toBeFocused();
  await limit.fill('1');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(main).toContainText('$0.45 of $1.00 used');
  expect((await spend(0.2)).status).toBe(200);

  await page.getByRole('button', { name: 'Edit: Calls a minute' }).click();
  const minute = dialog.getByLabel('Calls a minute');
  await expect(minute).toBeFocused();
  await minute.fill('7');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(main).toContainText('of 7 used');
  await checkAccessibility(page, { name: 'keys-list', path: '/dashboard/keys' });
  await checkAccessibility(page, { name: 'key-limits', path: key });
  await checkAccessibility(page, {
    name: 'key-limit-dialog',
    path: key,
    prepare: (shown) => shown.getByRole('button', { name: 'Edit: Weekly spending limit' }).click(),
  });
});

test('an invalid limit is reported at its field and creates no key', async ({ page }) => {
  const { email } = await createPerson('amount', 0);
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  // The header and the first key.
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

test('another person’s key is not found', async ({ page }) => {
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

test('the keys page passes the accessibility checks: empty, with a list, and with a secret', async ({
  page,
}) => {
  await signIn(page, newEmail('keys-look'));
  await checkAccessibility(page, { name: 'keys-none', path: '/dashboard/keys' });
  await checkAccessibility(page, {
    name: 'keys-rules',
    path: '/dashboard/keys?create=1',
    async prepare(shown) {
      await shown.getByRole('dialog').getByText('Expiry, networks').click();
      await shown.getByRole('radio', { name: 'Only selected' }).check();
      await expect(shown.getByRole('checkbox').first()).toBeVisible();
    },
  });
  await checkAccessibility(page, {
    name: 'keys-secret',
    path: '/dashboard/keys?create=1',
    async prepare(shown) {
      await expect(shown.getByRole('dialog').getByLabel('Name')).toBeFocused();
      await shown.keyboard.type('crawler in production');
      await shown.keyboard.press('Enter');
      await secretIn(shown.getByRole('dialog'));
    },
  });
});
