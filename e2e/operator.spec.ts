import type { APIRequestContext, Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { callTool, createPerson, expect, signIn, signInAsOperator, test } from './support/fixtures';
import { openWithShortcuts } from './support/keyboard';
import { buyCredit } from './support/purchases';

const PAGES = [
  ['overview', '/operator', 'Operator'],
  ['accounts', '/operator/accounts', 'Accounts'],
  ['tools', '/operator/tools', 'Tools'],
  ['jobs', '/operator/jobs', 'Jobs'],
  ['webhooks', '/operator/webhooks', 'Webhooks'],
  ['plans', '/operator/plans', 'Plans'],
  ['promo codes', '/operator/promos', 'Promo codes'],
  ['sign-up', '/operator/sign-up', 'Sign-up'],
  ['reconcile', '/operator/reconcile', 'Reconcile'],
  ['status', '/operator/status', 'Status'],
  ['audit', '/operator/audit', 'Audit'],
] as const;

/** Opens the account of an email address through the list. */
async function openAccount(page: Page, email: string): Promise<void> {
  await page.goto('/operator/accounts');
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(email);
  await page.getByRole('link', { name: email }).click();
  await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible();
}

test('the operator’s pages are a 404 for everyone else', async ({ page, newPage }) => {
  const { email } = await createPerson('nosy', 0);
  await signIn(page, email);
  const outsider = await newPage();
  for (const who of [page, outsider]) {
    for (const [, path] of PAGES) {
      const response = await who.goto(path);
      expect(response?.status(), path).toBe(404);
      await expect(who.getByRole('heading', { name: 'Page not found' })).toBeVisible();
      await expect(who).toHaveTitle(/^Not found/);
    }
    const file = await who.request.get('/operator/audit/audit.csv');
    expect(file.status()).toBe(404);
  }
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Operator' })).toHaveCount(0);
});

test('an account is found, granted credit, frozen and unfrozen, and its key revoked', {
  tag: '@journey',
}, async ({ page, request }) => {
  const { email, key } = await createPerson('customer', 1);
  await signInAsOperator(page);
  await page.goto('/dashboard');
  await page.getByRole('navigation').getByRole('link', { name: 'Operator' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Operator' })).toBeVisible();
  await openAccount(page, email);

  await page.getByRole('button', { name: 'Grant credit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('2.50');
  await dialog.getByRole('button', { name: 'Grant credit' }).click();
  await expect(dialog.getByText('Reason: enter a few words.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('for the trouble');
  await dialog.getByRole('button', { name: 'Grant credit' }).click();
  await expect(page.getByText('Credit granted: for the trouble')).toBeVisible();

  await page.getByRole('button', { name: 'Freeze' }).click();
  await dialog.getByLabel('Reason').fill('it sends spam');
  await dialog.getByRole('button', { name: 'Freeze account' }).click();
  await expect(page.getByText('This account is frozen')).toBeVisible();
  expect((await callTool(request, key, 'echo', { message: 'hello' })).status).toBe(403);
  await page.getByRole('button', { name: 'Unfreeze' }).click();
  await dialog.getByLabel('Reason').fill('it was settled');
  await dialog.getByRole('button', { name: 'Unfreeze account' }).click();
  await expect(page.getByText('This account is frozen')).toBeHidden();
  expect((await callTool(request, key, 'spend', { amount_usd: 0.5 })).status).toBe(200);

  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  expect((await callTool(request, key, 'echo', { message: 'hello' })).status).toBe(401);

  await page.getByRole('link', { name: 'View audit log' }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  for (const action of ['account.credit', 'account.freeze', 'account.unfreeze', 'key.revoke', 'account.view'])
    await expect(log.getByText(action, { exact: true }).first()).toBeVisible();
  await page.getByLabel('Action').fill('key.revoke');
  await expect(log.getByText('account.freeze', { exact: true })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('audit.csv');
});

test('a customer’s call, request or receipt leads to the account, which shows why a key is refused', async ({
  page,
  newPage,
  request,
}) => {
  const { email, key } = await createPerson('asks', 1);
  const made = await request.post('/v1/keys', {
    headers: { Authorization: `Bearer ${key}` },
    data: { name: 'Nightly agent', spend_limit: { amount_usd: 0.3, period: 'day' } },
  });
  const { secret } = await made.json();
  const spend = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
  const send = async () =>
    await (
      await request.post('/v1/tools/call', { headers: { Authorization: `Bearer ${secret}` }, data: spend })
    ).json();
  const paid = await send();
  const refused = await send();
  expect(refused.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
  const customer = await newPage();
  await signIn(customer, email);
  const paymentId = await buyCredit(customer, { amount: '10' });
  await customer.goto(`/dashboard/billing/receipts/${paymentId}`);
  const receipt = await customer.getByText(/^R-\d{6}$/).textContent();

  await signInAsOperator(page);
  await page.goto('/operator/accounts');
  const rows = page.getByRole('table', { name: 'Accounts' }).getByRole('row');
  for (const named of [paid.id, refused.error.request_id, paymentId, String(receipt)]) {
    await page.getByRole('searchbox', { name: 'Search accounts' }).fill(named);
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText(email);
  }
  // The palette searches all accounts, too.
  await openWithShortcuts(page, '/dashboard/settings');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or go to' })).toBeFocused();
  await page.keyboard.insertText(paid.id);
  await page.getByRole('option', { name: `Search accounts for ${paid.id}` }).click();
  await expect(page).toHaveURL(`/operator/accounts?q=${paid.id}`);
  await rows.nth(1).getByRole('link', { name: email }).click();
  await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible();
  const reasons = page.getByRole('table', { name: 'Refused calls by key and reason' });
  const reason = reasons.getByRole('row').filter({ hasText: 'SPENDING_LIMIT_EXCEEDED' });
  await expect(async () => {
    await page.reload();
    await expect(reason).toContainText('Nightly agent', { timeout: 2_000 });
  }).toPass();
  await expect(reason).toContainText('Calls exceed the key’s spending limit');
  await expect(reason).toContainText('Refuses now, until');
  await checkAccessibility(page, { name: 'operator-account-refused', path: new URL(page.url()).pathname });

  // The overview counts them for all accounts, and the audit log names who was viewed.
  await page.goto('/operator');
  const all = page.getByRole('table', { name: 'Refused calls by code' });
  await expect(all.getByRole('row').filter({ hasText: 'SPENDING_LIMIT_EXCEEDED' }).first()).toContainText(
    'key',
  );
  await page.goto('/operator/audit?action=account.view');
  await expect(page.getByRole('table', { name: 'Audit log' })).toContainText(email);
});

test('a payment is partly refunded, and reconciliation finds no differences', async ({ page, newPage }) => {
  const { email } = await createPerson('refunded', 0);
  const customer = await newPage();
  await signIn(customer, email);
  const paymentId = await buyCredit(customer, { amount: '10' });
  await signInAsOperator(page);
  await openAccount(page, email);
  await expect(page.getByText(paymentId)).toBeVisible();
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('5.00');
  await dialog.getByLabel('Reason').fill('half was not used');
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByText('Partly refunded')).toBeVisible();
  await checkAccessibility(page, { name: 'operator-account', path: new URL(page.url()).pathname });

  await page.goto('/operator/reconcile');
  await page.getByRole('button', { name: 'Run with the provider' }).click();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('The books agree')).toBeVisible({ timeout: 30_000 });
});

test('a tool is switched off for everyone, and on again', async ({ page, request }) => {
  const { key } = await createPerson('caller', 1);
  const call = async () =>
    (
      await request.post('/v1/tools/call', {
        headers: { Authorization: `Bearer ${key}` },
        data: { tool: 'math', skill: 'evaluate', input: { expression: '1+1' } },
      })
    ).status();
  await signInAsOperator(page);
  await page.goto('/operator/tools?q=math');
  await page.getByRole('link', { name: 'math' }).first().click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Switch off' }).click();
  await dialog.getByLabel('Reason').fill('it miscounts');
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText('This tool is unavailable')).toBeVisible();
  await expect.poll(call).toBe(503);
  await checkAccessibility(page, { name: 'operator-tool', path: new URL(page.url()).pathname });
  await page.getByRole('button', { name: 'Switch on' }).click();
  await dialog.getByLabel('Reason').fill('it counts again');
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('This tool is unavailable')).toBeHidden();
  await expect.poll(call).toBe(200);
});

test('fast typing loses no letters, in the field or in the URL', async ({ page }) => {
  await signInAsOperator(page);
  for (const [path, role, name] of [
    ['/operator/tools?q', 'searchbox', 'Search tools'],
    ['/operator/accounts?q', 'searchbox', 'Search accounts'],
    ['/operator/audit?action', 'textbox', 'Action'],
    ['/operator/jobs?account', 'textbox', 'Account'],
  ] as const) {
    await page.goto(path);
    const field = page.getByRole(role, { name });
    await field.focus();
    // In one task, so that nothing renders between two letters.
    await page.evaluate(() => {
      for (const letter of 'somebody') document.execCommand('insertText', false, letter);
    });
    await expect(field).toHaveValue('somebody');
    await expect(page).toHaveURL(`${path}=somebody`);
    await field.fill('');
    await expect(page).toHaveURL(path.replace(/\?.*/, ''));
    await expect(field).toHaveValue('');
  }
});

test('an operator sees and cancels another person’s job', async ({ page, request }) => {
  const { key } = await createPerson('waiting', 1);
  const asked = await request.post('/v1/tools/call', {
    headers: { Authorization: `Bearer ${key}`, Prefer: 'wait=0' },
    data: { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60 } },
  });
  expect(asked.status()).toBe(202);
  const { job_id } = await asked.json();
  await signInAsOperator(page);
  await page.goto(`/operator/jobs?job=${job_id}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel job' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Cancel job' }).last().click();
  await expect(page.getByText('The operator cancelled the call.')).toBeVisible();
});

/**
 * Fills every list of the operator's pages: an account, a job, and a purchase with its webhooks.
 */
async function makeTraffic(customer: Page, request: APIRequestContext): Promise<string> {
  const { email, key } = await createPerson('somebody-with-an-address-that-is-long', 1);
  const asked = await request.post('/v1/tools/call', {
    headers: { Authorization: `Bearer ${key}`, Prefer: 'wait=0' },
    data: { tool: 'diagnostics', skill: 'sleep', input: { seconds: 0.1 } },
  });
  expect(asked.status()).toBe(202);
  await signIn(customer, email);
  await buyCredit(customer, { amount: '10' });
  return email;
}

test('the operator’s pages pass the accessibility checks', async ({ page, newPage, request }) => {
  await makeTraffic(await newPage(), request);
  await signInAsOperator(page);
  for (const [name, path, title] of PAGES)
    await checkAccessibility(page, {
      name: `operator-${name}`,
      path,
      prepare: async (shown) => {
        await expect(shown.getByRole('heading', { level: 1, name: title })).toBeVisible();
        await expect(shown).toHaveTitle(new RegExp(title));
      },
    });
});

test('accounts, jobs and the audit log are sorted over all pages, and the order is in the URL', async ({
  page,
  newPage,
  request,
}) => {
  await makeTraffic(await newPage(), request);
  const { email: newest } = await createPerson('newest', 0);
  await signInAsOperator(page);
  const lists = [
    { path: '/operator/accounts', table: 'Accounts', column: 'Created', first: newest },
    { path: '/operator/jobs', table: 'Jobs', column: 'Created', first: 'diagnostics.' },
    { path: '/operator/audit', table: 'Audit log', column: 'When', first: '' },
  ];
  for (const { path, table, column, first } of lists) {
    await page.goto(path);
    const head = page.getByRole('columnheader', { name: column });
    const row = page.getByRole('table', { name: table }).getByRole('row').nth(1);
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await expect(row).toContainText(first);
    const newestRow = (await row.textContent()) ?? '';
    await head.getByRole('button', { name: column }).click();
    await expect(page).toHaveURL(/\?sort=created\.asc$/);
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    // The only job is the first in both orders.
    if (path !== '/operator/jobs') await expect(row).not.toHaveText(newestRow);
  }
  for (const { path, table, column } of lists)
    await checkAccessibility(page, {
      name: `operator-sorted-${table}`,
      path: `${path}?sort=created.asc`,
      prepare: async (shown) => {
        const head = shown.locator('th', { hasText: column });
        await expect(head).toHaveAttribute('aria-sort', 'ascending');
      },
    });
});

test('no operator list is wider than the window, from the width at which rows become a table', async ({
  page,
  newPage,
  request,
}) => {
  const email = await makeTraffic(await newPage(), request);
  await signInAsOperator(page);
  await openAccount(page, email);
  const account = new URL(page.url()).pathname;
  const wide: string[] = [];
  for (const path of [...PAGES.map(([, place]) => place), account]) {
    await page.goto(path);
    for (const width of [640, 700, 768, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (sideways > 0) wide.push(`${path} at ${width}: ${sideways} pixels`);
    }
  }
  expect(wide).toEqual([]);
});
