import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signInAsOperator, test } from './support/fixtures';
import { spend, visitUntil } from './support/purchases';
import { workerGateway } from './support/worker-gateway';

test('paid calls appear in revenue and margin, in the top lists, and per period', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('spender', 5);
  // More than the people of other tests, of whom only those with the most revenue are listed.
  for (let n = 0; n < 5; n++) await spend(request, key, 1);
  await signInAsOperator(page);
  const figure = (name: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
      .locator('data');
  await page.goto('/operator');
  await expect(figure('Revenue')).toHaveText(/^\$\d+\.\d\d$/);
  const usd = async (name: string) => Number(await figure(name).getAttribute('value'));
  expect(await usd('Revenue')).toBeGreaterThanOrEqual(5);
  expect(await usd('Margin')).toBeCloseTo((await usd('Revenue')) - (await usd('Provider cost')), 6);
  await page.getByRole('radio', { name: 'Calls' }).first().check();
  await expect(page).toHaveURL(/measure=calls/);
  await page.getByRole('radio', { name: '24 hours' }).check();
  await expect(page).toHaveURL(/period=24h/);
  const accounts = page.getByRole('table', { name: 'Accounts with the most revenue' });
  await expect(accounts.getByRole('row').filter({ hasText: email })).toContainText('$5.00');
  await checkAccessibility(page, { name: 'operator-insight', path: '/operator?period=24h&measure=calls' });
  await page
    .getByRole('table', { name: 'Tools with the most revenue' })
    .getByRole('link', { name: 'Diagnostics' })
    .click();
  await expect(page).toHaveURL(/\/operator\/tools\/diagnostics/);
});

test('an operator changes a price: the catalogue and the next call have it, and the history says why', async ({
  page,
  request,
}) => {
  const { key } = await createPerson('payer', 5);
  const redact = async () => {
    const response = await request.post('/v1/tools/call', {
      headers: { Authorization: `Bearer ${key}` },
      data: { tool: 'text', skill: 'redact', input: { text: 'Mail ana@example.com.' } },
    });
    expect(response.status()).toBe(200);
    return (await response.json()).usage.cost;
  };
  const before = await redact();
  await signInAsOperator(page);
  await page.goto('/operator/tools/text');
  const row = page.getByRole('table', { name: 'Prices' }).getByRole('row').filter({ hasText: 'redact' });
  await row.getByRole('button', { name: 'Change price' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Platform fee').fill('2000');
  await dialog.getByLabel('Reason').fill('dearer models');
  await dialog.getByRole('button', { name: 'Change price' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'from $0 to $1000' })).toBeVisible();
  await dialog.getByLabel('Platform fee').fill('0.0125');
  await dialog.getByRole('button', { name: 'Change price' }).click();
  await expect(dialog).toBeHidden();
  const history = page.getByRole('table', { name: 'Price changes, newest first' });
  const change = history.getByRole('row').filter({ hasText: 'dearer models' });
  await expect(change).toContainText('$0.0125');
  await expect(change).toContainText('Current');
  await expect.poll(redact).toBe(0.0125);
  await checkAccessibility(page, { name: 'operator-prices', path: '/operator/tools/text' });
  await page.goto('/tools/text');
  await expect(page.getByText('$0.0125').first()).toBeVisible();
  await page.goto('/operator/tools/text');
  await row.getByRole('button', { name: 'Reset' }).click();
  await dialog.getByLabel('Reason').fill('back again');
  await dialog.getByRole('button', { name: 'Reset price' }).click();
  await expect(change).toContainText('Replaced');
  await expect.poll(redact).toBe(before);

  await row.getByRole('button', { name: 'Change price' }).click();
  await dialog.getByLabel('Platform fee').fill('0.02');
  await dialog.getByLabel('Effective from').selectOption({ label: 'In 30 days' });
  await dialog.getByLabel('Reason').fill('a later price');
  await dialog.getByRole('button', { name: 'Change price' }).click();
  const later = history.getByRole('row').filter({ hasText: 'a later price' });
  await expect(later).toContainText('Scheduled');
  await row.getByRole('button', { name: 'Change price' }).click();
  await expect(dialog).toContainText('It cancels the change scheduled for');
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Reset' }).click();
  await dialog.getByLabel('Reason').fill('not needed');
  await dialog.getByRole('button', { name: 'Reset price' }).click();
  await expect(later).toContainText('Replaced');
});

test('background jobs show their last and next run; an incident appears on the status page until resolved', async ({
  page,
  newPage,
}) => {
  await signInAsOperator(page);
  await page.goto('/operator/reconcile');
  await page.getByRole('button', { name: 'Run on the books' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('The books agree')).toBeVisible({ timeout: 30_000 });
  await page.goto('/operator/status');
  const jobs = page.getByRole('table', { name: 'Background jobs' });
  const reconcile = jobs.getByRole('row').filter({ hasText: 'Reconcile' });
  await expect(reconcile).toContainText('Succeeded');
  await expect(reconcile).toContainText('Every 24 hours');
  await expect(reconcile).toContainText(/in \d+ hours|tomorrow|in 1 day/);

  await page.getByRole('button', { name: 'Post incident' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Slow image generation');
  await dialog.getByLabel('Impact').selectOption('major');
  await dialog.getByLabel('Message').fill('We are looking into it.');
  await dialog.getByRole('button', { name: 'Post incident' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Slow image generation' });
  await expect(row).toContainText('Investigating');
  const visitor = await newPage();
  await visitor.goto('/');
  await visitor.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Status' }).click();
  await expect(visitor.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
  // The page is cached for some seconds.
  await visitUntil(visitor, '/status', visitor.getByText('We are looking into it.'));
  await expect(visitor.getByText('All systems operational')).toBeHidden();
  await expect(visitor.getByRole('heading', { name: 'Database' })).toBeVisible();
  expect(await visitor.getByRole('main').textContent()).not.toMatch(/operator@|\$\d/);
  await checkAccessibility(visitor, { name: 'status', path: '/status' });

  await row.getByRole('button', { name: 'Update' }).click();
  await dialog.getByLabel('State').selectOption('resolved');
  await dialog.getByLabel('Message').fill('It is fast again.');
  await dialog.getByRole('button', { name: 'Post update' }).click();
  await expect(row).toContainText('Resolved');
  await visitUntil(visitor, '/status', visitor.getByText('It is fast again.'));
});

test('a test alert reaches the webhook and the inbox', async ({ page, request }) => {
  await signInAsOperator(page);
  await page.goto('/operator/status');
  await page.getByRole('button', { name: 'Send test alert' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send test alert' }).click();
  await expect(page.getByText('Test alert sent')).toBeVisible();
  const receiver = String(workerGateway().env.ALERT_WEBHOOK_URL);
  // The gateway's own timer may be delivering it still.
  await expect.poll(async () => (await request.get(receiver)).text()).toContain('[Tool Gateway] Test alert');
  const emails = page.getByRole('article', { name: 'to alerts@e2e.test' });
  await visitUntil(page, '/inbox', emails.filter({ hasText: 'Test alert' }).first());
  await page.goto('/operator/audit?action=alert.test');
  await expect(page.getByText('alert.test', { exact: true }).first()).toBeVisible();
});
