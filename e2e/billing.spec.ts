import type { APIRequestContext, Page } from 'playwright/test';
import { callTool, createPerson, expect, signIn, test } from './support/fixtures';
import { lookAt } from './support/look';
import {
  actOnPayment,
  buyCredit,
  CARDS,
  figure,
  microusd,
  payByCard,
  startPurchase,
  sumOfStatement,
} from './support/purchases';

const PRETEND = 'Pretend money: this gateway runs on a stand-in for Stripe. No card is charged.';

test('ten dollars of credit: the price is seen before leaving, and the credit once it is paid', async ({
  page,
}) => {
  const { email } = await createPerson('buyer', 2);
  await signIn(page, email);
  await page.goto('/dashboard');
  const header = page.getByRole('banner').locator('data');
  await expect(header).toHaveText('$2.00');
  await page.getByRole('link', { name: 'Add credit' }).first().click();
  await expect(page.getByText(PRETEND)).toBeVisible();

  await page.getByRole('radio', { name: '$25' }).check();
  await expect(figure(page, 'Total')).toHaveText('$26.38');
  await page.getByRole('radio', { name: '$10', exact: true }).check();
  await expect(figure(page, 'Credit')).toHaveText('$10.00');
  await expect(figure(page, 'Fee')).toHaveText('$0.80');
  await expect(figure(page, 'Total')).toHaveText('$10.80');
  await page.getByRole('button', { name: 'Continue to payment' }).click();

  await expect(page).toHaveURL(/\/stripe-standin\/checkout\//);
  const order = page.getByRole('region', { name: 'Your order' });
  await expect(order).toContainText('$10.00');
  await expect(order).toContainText('$0.80');
  await expect(order).toContainText('$10.80');
  await payByCard(page);

  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(figure(page, 'Credit')).toHaveText('$10.00');
  await expect(figure(page, 'Total')).toHaveText('$10.80');
  await expect(figure(page, 'Balance now')).toHaveText('$12.00');
  await expect(header).toHaveText('$12.00');
  // The same after a reload, and not credited again.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(header).toHaveText('$12.00');

  await page.getByRole('link', { name: 'See the receipt' }).click();
  const receipt = page.getByRole('article', { name: /^Receipt pi_/ });
  for (const words of ['Visa •••• 4242', email, '$10.80', 'Pretend money']) {
    await expect(receipt).toContainText(words);
  }
});

test('the success page waits for the truth: unpaid is not paid, whoever opens it', async ({
  page,
  context,
}) => {
  const { email } = await createPerson('waits', 0);
  await signIn(page, email);
  await startPurchase(page, { amount: '12.50' });
  const hosted = page.url();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing was charged' })).toBeVisible();

  await page.goto(page.url().replace('/cancelled', '/success'));
  await expect(page.getByRole('heading', { name: 'Waiting for the payment provider…' })).toBeVisible();
  const cashier = await context.newPage();
  await cashier.goto(hosted);
  await payByCard(cashier);
  await expect(cashier.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(page.getByRole('banner').locator('data')).toHaveText('$12.50');

  // Who comes back by the other way is told the same.
  await cashier.goto(page.url().replace('/success', '/cancelled'));
  await expect(cashier.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await cashier.close();
});

test('a declined card buys nothing; another one on the same page does', async ({ page }) => {
  const { email } = await createPerson('declined', 0);
  await signIn(page, email);
  await startPurchase(page, { amount: '10' });
  await payByCard(page, CARDS.declined);
  await expect(page.getByRole('alert')).toContainText('declined');
  await payByCard(page, CARDS.mastercard);
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(page.getByRole('banner').locator('data')).toHaveText('$10.00');
  await page.getByRole('link', { name: 'See the statement' }).click();
  const lines = page.getByRole('table', { name: /^Statement/ }).getByRole('row');
  await expect(lines).toHaveCount(2);
  await expect(lines.nth(1)).toContainText('Mastercard •••• 4444');
});

test('cancelled: nothing is charged, and it can be paid after all', async ({ page }) => {
  const { email } = await createPerson('cancels', 0);
  await signIn(page, email);
  await startPurchase(page, { amount: '50' });
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing was charged' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start again' })).toBeVisible();
  await expect(page.getByRole('banner').locator('data')).toHaveText('$0.00');
  await page.getByRole('link', { name: 'Pay after all' }).click();
  await payByCard(page);
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
});

test('a bank transfer is on its way until it has arrived, or has failed', async ({ page }) => {
  const { email } = await createPerson('bank', 0);
  await signIn(page, email);
  await startPurchase(page, { amount: '20' });
  await page.getByRole('radio', { name: 'Pretend bank transfer (settles' }).check();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByRole('heading', { name: 'Your bank is still sending it' })).toBeVisible();
  await expect(page.getByRole('banner').locator('data')).toHaveText('$0.00');
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('banner').locator('data')).toHaveText('$20.00');

  await startPurchase(page, { amount: '30' });
  await page.getByRole('radio', { name: 'Pretend bank transfer that fails' }).check();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByRole('heading', { name: 'Your bank is still sending it' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'The payment failed' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('banner').locator('data')).toHaveText('$20.00');
});

test('every movement is on the statement, and its lines add up to the balance', async ({ page, request }) => {
  const { email, key } = await createPerson('books', 1);
  await signIn(page, email);
  const payment = await buyCredit(page, { amount: '10' });
  for (const usd of [0.25, 0.000001, 1]) await spend(request, key, usd);
  await actOnPayment(page, payment, 'Refund', '3.33');

  await page.goto('/dashboard/billing');
  const table = page.getByRole('table', { name: /^Statement/ });
  await expect(async () => {
    await page.reload();
    await expect(table.getByRole('row').nth(1)).toContainText('Refund', { timeout: 1_000 });
  }).toPass();
  const available = await figure(page, 'Available').locator('data').getAttribute('value');
  expect(await sumOfStatement(page)).toBe(microusd(available ?? ''));

  // One kind only: in the page, in its address, and in the file.
  await page.getByLabel('Kind').selectOption('call');
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(page).toHaveURL('/dashboard/billing?kind=call');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const csv = await textOf((await download).url(), page);
  expect(csv.trim().split('\r\n')).toHaveLength(4);
  expect(csv).toContain('diagnostics.spend');
  await page.reload();
  await expect(table.getByRole('row')).toHaveCount(4);
  await page.getByLabel('From').fill('2001-01-01');
  await page.getByLabel('To', { exact: true }).fill('2001-12-31');
  await expect(page.getByText('Nothing fits these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(table.getByRole('row')).toHaveCount(7);

  // The receipt says what became of the payment.
  await page
    .getByRole('table', { name: /^Receipts/ })
    .getByRole('link')
    .click();
  await expect(figure(page, 'Refunded')).toHaveText('−$3.33');
  await expect(page.getByText('Partly refunded')).toBeVisible();
});

test('what was spent before it was refunded is owed, and said wherever it matters', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('owes', 0);
  await signIn(page, email);
  const payment = await buyCredit(page, { amount: '10' });
  for (let call = 0; call < 4; call++) await spend(request, key, 1);
  await actOnPayment(page, payment, 'Refund');
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(page.getByText('This account owes $4.00')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByRole('link', { name: 'Buy credit' }).click();
  await expect(figure(page, 'Owed')).toHaveText('$4.00');
  await expect(figure(page, 'Available')).toHaveText('$0.00');
  await expect(figure(page, 'Balance: credit less debt')).toHaveText('−$4.00');
  expect(await sumOfStatement(page)).toBe(-4_000_000n);

  // The next credit pays it first.
  await buyCredit(page, { amount: '10' });
  await expect(figure(page, 'Balance now')).toHaveText('$6.00');
  await page.goto('/dashboard/billing');
  await expect(page.getByText('This account owes')).toHaveCount(0);
  expect(await sumOfStatement(page)).toBe(6_000_000n);
});

test('while a payment is disputed nothing is bought, and once it is won everything goes on', async ({
  page,
}) => {
  const { email } = await createPerson('disputes', 0);
  await signIn(page, email);
  const payment = await buyCredit(page, { amount: '10' });
  await actOnPayment(page, payment, 'Dispute');
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(page.getByText('A payment of this account is disputed')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByRole('link', { name: 'See the statement' }).click();
  await expect(page.getByText('While a payment is disputed no more credit can be bought.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue to payment' })).toHaveCount(0);
  await expect(page.getByRole('table', { name: /^Statement/ })).toContainText('−$10.00');

  await actOnPayment(page, payment, 'Win');
  await expect(async () => {
    await page.goto('/dashboard/billing');
    await expect(page.getByRole('button', { name: 'Continue to payment' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await sumOfStatement(page)).toBe(10_000_000n);
});

test('a saved card is in auto-reload; what is saved stays; the portal takes the card away', async ({
  page,
}) => {
  const { email } = await createPerson('reload', 0);
  await signIn(page, email);
  await page.goto('/dashboard/billing');
  const card = page.getByRole('region', { name: 'Saved card' });
  await expect(card).toContainText('No card is saved');
  const enabled = page.getByRole('switch', { name: 'Reload automatically' });
  await enabled.click();
  await expect(page.getByText('No card is saved: nothing will be charged.')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(enabled).not.toBeChecked();

  await buyCredit(page, { amount: '10', saveCard: true });
  await page.goto('/dashboard/billing');
  await expect(card).toContainText('Visa •••• 4242');
  await enabled.click();
  await expect(
    page.getByText(
      'When a call leaves less than $5.00, your Visa •••• 4242 is charged $21.10 for $20.00 of credit, once.',
    ),
  ).toBeVisible();
  await page.getByLabel('Credit to buy').fill('0.5');
  await expect(page.getByText('Credit to buy: the least is $1.00.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByLabel('Credit to buy')).toBeFocused();
  await page.getByLabel('Credit to buy').fill('40');
  await page.getByLabel('Threshold').fill('2.5');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('Auto-reload saved')).toBeVisible();
  await page.reload();
  await expect(enabled).toBeChecked();
  await expect(page.getByLabel('Threshold')).toHaveValue('2.50');
  await expect(page.getByLabel('Credit to buy')).toHaveValue('40');

  await page.getByRole('button', { name: 'Manage cards' }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('No card is saved.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the gateway' }).click();
  await expect(async () => {
    await page.reload();
    await expect(card).toContainText('No card is saved', { timeout: 1_000 });
  }).toPass();
  await expect(page.getByText('No card is saved: nothing will be charged.')).toBeVisible();
});

test('a monthly limit is set, measured, reached and removed', async ({ page, request }) => {
  const { email, key } = await createPerson('limit', 10);
  for (const usd of [1, 0.2]) await spend(request, key, usd);
  await signIn(page, email);
  await page.goto('/dashboard/billing');
  const limit = page.getByLabel('Limit a month');
  await expect(limit).toBeDisabled();
  await page.getByRole('radio', { name: 'Limit spending' }).check();
  await limit.fill('two');
  await expect(page.getByText('Limit a month: write an amount')).toBeVisible();
  await limit.fill('1.50');
  await limit.press('Enter');
  await expect(page.getByText('Monthly limit saved')).toBeVisible();
  await page.reload();
  await expect(limit).toHaveValue('1.50');
  const meter = page.getByRole('meter', { name: 'Spent of the monthly limit' });
  await expect(meter).toHaveAttribute('aria-valuetext', '$1.20 of $1.50');
  await expect(page.getByText(/Counts from zero again on 1 \w+ \d{4}, 00:00 UTC/)).toBeVisible();
  expect(await callTool(request, key, 'spend', { amount_usd: 1 })).toMatchObject({
    status: 429,
    body: { error: { code: 'SPENDING_LIMIT_EXCEEDED' } },
  });
  await spend(request, key, 0.3);
  await page.reload();
  await expect(page.getByText('The limit is reached')).toBeVisible();

  await page.getByRole('radio', { name: 'No limit' }).check();
  await page.getByRole('button', { name: 'Save' }).nth(1).click();
  await expect(page.getByText('Monthly limit removed')).toBeVisible();
  await spend(request, key, 1);
});

test('a member sees the money of a team, and that only its owners and admins buy for it', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await createPerson('team-owner', 0);
  const member = await createPerson('team-member', 0);
  await signIn(page, owner.email);
  const { slug, invitation } = await makeTeam(page, 'Paying Team', member.email);
  await buyCredit(page, { amount: '10', billing: slug });
  await expect(figure(page, 'Balance of Paying Team')).toHaveText('$10.00');
  await page.getByRole('link', { name: 'See the statement' }).click();
  await expect(page.getByLabel('Account', { exact: true })).toHaveValue(slug);
  expect(await sumOfStatement(page)).toBe(10_000_000n);

  const elsewhere = await browser.newContext({ baseURL });
  const other = await elsewhere.newPage();
  await signIn(other, member.email);
  await other.goto(invitation);
  await other.getByRole('button', { name: 'Join the team' }).click();
  await expect(other.getByRole('heading', { name: 'You are in Paying Team' })).toBeVisible();
  await other.goto('/dashboard/billing');
  await expect(figure(other, 'Available')).toHaveText('$0.00');
  await other.getByLabel('Account', { exact: true }).selectOption('Paying Team');
  await expect(figure(other, 'Available')).toHaveText('$10.00');
  await expect(other).toHaveURL(`/dashboard/billing?billing=${slug}`);
  await expect(other.getByText('Only its owners and admins buy credit for it')).toBeVisible();
  for (const name of ['Continue to payment', 'Manage cards', 'Save'])
    await expect(other.getByRole('button', { name })).toHaveCount(0);
  expect(await sumOfStatement(other)).toBe(10_000_000n);
  await elsewhere.close();
});

test('an amount is judged as it is typed, and nothing wrong leaves the page', async ({ page }) => {
  const { email } = await createPerson('amounts', 0);
  await signIn(page, email);
  await page.goto('/dashboard/billing');
  const amount = page.getByLabel('Amount', { exact: true });
  for (const [text, words] of [
    ['0.99', 'the least is $1.00'],
    ['10000.01', 'the most is $10,000.00'],
    ['5.001', 'whole cents'],
    ['ten', 'write an amount'],
  ] as const) {
    await amount.fill(text);
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
    await expect(figure(page, 'Total')).toHaveText('–');
  }
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(amount).toBeFocused();
  await expect(page).toHaveURL('/dashboard/billing');
  await amount.fill('$1,000');
  await expect(figure(page, 'Fee')).toHaveText('$55.00');
});

test('purchases, receipts and accounts of someone else are not found', async ({ page }) => {
  const mine = await createPerson('mine', 0);
  const theirs = await createPerson('theirs', 0);
  await signIn(page, theirs.email);
  const payment = await buyCredit(page, { amount: '10' });
  const order = new URL(page.url()).searchParams.get('order');
  await page.context().clearCookies();

  // Signed out: sent to sign in, and back to the same purchase.
  await page.goto(`/dashboard/billing/success?order=${order}`);
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await signIn(page, mine.email, page.url());
  for (const path of [
    `/dashboard/billing/success?order=${order}`,
    `/dashboard/billing/cancelled?order=${order}`,
    '/dashboard/billing/success',
    `/dashboard/billing/receipts/${payment}`,
    '/dashboard/billing?billing=no-such-team',
  ]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
    await expect(page.getByText('There is no such purchase or account')).toBeVisible();
  }
});

test.describe('Billing', () => {
  test.setTimeout(240_000);
  test('can be used by everyone, in light and dark, wide and on a phone', async ({ page, request }) => {
    const { email, key } = await createPerson('looks', 3);
    await signIn(page, email);
    await lookAt(page, { name: 'billing-empty', path: '/dashboard/billing' });
    const refunded = await buyCredit(page, { amount: '25', saveCard: true });
    await lookAt(page, { name: 'billing-paid', path: page.url() });
    for (const usd of [0.001, 0.25, 1, 0.000123]) await spend(request, key, usd);
    const disputed = await buyCredit(page, { amount: '10' });
    await actOnPayment(page, refunded, 'Refund', '5');
    await startPurchase(page, { amount: '50' });
    await page.getByRole('link', { name: 'Cancel' }).click();
    const cancelled = page.url();
    await page.goto('/dashboard/billing');
    await page.getByRole('switch', { name: 'Reload automatically' }).click();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await expect(page.getByText('Auto-reload saved')).toBeVisible();
    for (const shown of [
      { name: 'billing', path: '/dashboard/billing' },
      { name: 'billing-wrong', path: '/dashboard/billing', prepare: writeWrongly },
      { name: 'billing-filtered', path: '/dashboard/billing?kind=refund&from=2001-01-01' },
      { name: 'billing-cancelled', path: cancelled },
      { name: 'billing-waiting', path: cancelled.replace('/cancelled', '/success') },
      { name: 'billing-receipt', path: `/dashboard/billing/receipts/${refunded}` },
      { name: 'billing-unknown', path: '/dashboard/billing/success?order=order_unknown' },
    ])
      await test.step(shown.name, () => lookAt(page, shown));
    await actOnPayment(page, disputed, 'Dispute');
    await expect(async () => {
      await page.goto('/dashboard');
      await expect(page.getByText('A payment of this account is disputed')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await lookAt(page, { name: 'overview-disputed', path: '/dashboard' });
    await lookAt(page, { name: 'billing-disputed', path: '/dashboard/billing' });
    await page.goto(`/dashboard/billing/receipts/${refunded}`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByRole('article')).toBeVisible();
    await page.screenshot({ path: 'test-results/screenshots/billing-receipt-print.png', fullPage: true });
  });
});

/** Makes a team and invites to it. @returns where the invitation leads */
async function makeTeam(
  page: Page,
  name: string,
  invited: string,
): Promise<{ slug: string; invitation: string }> {
  await page.goto('/dashboard/team');
  await page.getByRole('button', { name: 'Create team' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  const slug = await dialog.getByLabel('Slug').inputValue();
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await expect(page).toHaveURL(`/dashboard/team/${slug}`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByLabel('E-mail').fill(invited);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const link = await dialog.getByRole('status', { name: 'Invitation link' }).textContent();
  return { slug, invitation: link ?? '' };
}

/** Spends exactly this much, a dollar at most. */
async function spend(request: APIRequestContext, key: string, usd: number): Promise<void> {
  expect((await callTool(request, key, 'spend', { amount_usd: usd })).status).toBe(200);
}

async function writeWrongly(page: Page): Promise<void> {
  await page.getByLabel('Amount', { exact: true }).fill('5.001');
  await page.getByLabel('Threshold').fill('x');
  await expect(page.getByText('use whole cents')).toBeVisible();
}

/** A file that the page would download. */
async function textOf(url: string, page: Page): Promise<string> {
  return await (await page.request.get(url)).text();
}
