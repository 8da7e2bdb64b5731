import type { Page } from 'playwright/test';
import { callTool, createPerson, expect, signIn, test } from './support/fixtures';
import {
  actOnPayment,
  buyCredit,
  expectStatementSum,
  figure,
  microusd,
  saveButton,
  spend,
  sumOfStatement,
  visitUntil,
} from './support/purchases';

test('the statement lists every transaction, and its entries add up to the balance', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('books', 1);
  await signIn(page, email);
  const payment = await buyCredit(page, { amount: '10' });
  for (const usd of [0.25, 0.000001, 1]) await spend(request, key, usd);
  await actOnPayment(page, payment, 'Refund', '3.33');

  const table = page.getByRole('table', { name: /^Statement/ });
  await visitUntil(page, '/dashboard/billing', table.getByRole('row').nth(2).getByText('Refund of $3.33'));
  // They load separately and agree only a moment after a change.
  await expect(async () => {
    const available = await figure(page, 'Available').locator('data').getAttribute('value');
    expect(await sumOfStatement(page)).toBe(microusd(available ?? ''));
  }).toPass({ timeout: 20_000 });

  // Filtered by one kind: on the page, in its URL, and in the CSV.
  await page.getByLabel('Kind').selectOption('call');
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL('/dashboard/billing?kind=call');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV', exact: true }).click();
  const csv = await fetchText((await download).url(), page);
  expect(csv.trim().split('\r\n')).toHaveLength(4);
  expect(csv).toContain('diagnostics.spend');
  await page.reload();
  const day = table.getByRole('button', { name: '3 calls' });
  await day.click();
  await expect(day).toHaveAttribute('aria-expanded', 'true');
  await expect(table.getByRole('row')).toHaveCount(5);
  await expect(table.getByText('diagnostics.spend')).toHaveCount(3);
  await day.click();
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Dates (UTC): Any time' }).click();
  await page.getByRole('button', { name: 'Last month', exact: true }).click();
  await expect(page.getByText('No entries match these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await expect(table.getByRole('row')).toHaveCount(5);

  // The receipt shows the refund.
  await page
    .getByRole('table', { name: /^Receipts/ })
    .getByRole('link')
    .click();
  await expect(figure(page, 'Refunded')).toHaveText('−$3.33');
  await expect(page.getByText('Partly refunded')).toBeVisible();
});

test('credit spent before its refund becomes a debt, shown on every relevant page', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('owes', 0);
  await signIn(page, email);
  const payment = await buyCredit(page, { amount: '10' });
  for (let call = 0; call < 4; call++) await spend(request, key, 1);
  await actOnPayment(page, payment, 'Refund');
  await visitUntil(page, '/dashboard', page.getByText('This account owes $4.00'));
  await page.getByRole('link', { name: 'Buy credit' }).first().click();
  await expect(figure(page, 'Owed')).toHaveText('$4.00');
  await expect(figure(page, 'Available')).toHaveText('$0.00');
  await expect(figure(page, 'Balance: credit minus debt')).toHaveText('−$4.00');
  await expectStatementSum(page, -4_000_000n);

  // The next credit pays off the debt first.
  await buyCredit(page, { amount: '10' });
  await expect(figure(page, 'Available now')).toHaveText('$6.00');
  await page.goto('/dashboard/billing');
  await expect(page.getByText('This account owes')).toHaveCount(0);
  // The same balance as on the page of the purchase.
  await expect(page.locator('#statement')).toContainText('Available now: $6.00.');
  await expectStatementSum(page, 6_000_000n);
});

test('a dispute blocks purchases until it is won', async ({ page }) => {
  const { email } = await createPerson('disputes', 0);
  await signIn(page, email);
  const payment = await buyCredit(page, { amount: '10' });
  await actOnPayment(page, payment, 'Dispute');
  await visitUntil(page, '/dashboard', page.getByText('A payment of this account is disputed'));
  const pay = page.getByRole('button', { name: 'Continue to payment' });
  await page.getByRole('link', { name: 'View statement' }).click();
  await expect(page.getByText('You can’t buy credit while a payment is disputed.')).toBeVisible();
  await expect(pay).toHaveCount(0);
  await expect(page.getByRole('table', { name: /^Statement/ })).toContainText('−$10.00');

  await actOnPayment(page, payment, 'Win');
  await visitUntil(page, '/dashboard/billing', pay);
  await expectStatementSum(page, 10_000_000n);
});

test('auto-recharge shows the saved card, stores its settings, and loses the card in the portal', async ({
  page,
}) => {
  const { email } = await createPerson('reload', 0);
  await signIn(page, email);
  await page.goto('/dashboard/billing');
  const card = page.getByRole('region', { name: 'Saved card' });
  await expect(card).toContainText('No card is saved');
  const enabled = page.getByRole('switch', { name: 'Recharge automatically' });
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
      'When a call takes the balance below $5.00, your Visa •••• 4242 is charged $21.10 for $20.00 of credit, once.',
    ),
  ).toBeVisible();
  await page.getByLabel('Credit to buy').fill('0.5');
  await expect(page.getByText('Credit to buy: the minimum is $1.00.')).toBeVisible();
  await saveButton(page, 'Threshold').click();
  await expect(page.getByLabel('Credit to buy')).toBeFocused();
  await page.getByLabel('Credit to buy').fill('4');
  await expect(
    page.getByText('If the balance is still below $5.00, the next call charges it again'),
  ).toBeVisible();
  await page.getByLabel('Credit to buy').fill('40');
  await page.getByLabel('Daily recharge limit').fill('80');
  await page.getByLabel('Threshold').fill('2.5');
  await saveButton(page, 'Threshold').click();
  await expect(page.getByText('Auto-recharge saved')).toBeVisible();
  await page.reload();
  await expect(enabled).toBeChecked();
  await expect(page.getByLabel('Threshold')).toHaveValue('2.50');
  await expect(page.getByLabel('Credit to buy')).toHaveValue('40');
  await expect(page.getByLabel('Daily recharge limit')).toHaveValue('80');

  await page.getByRole('button', { name: 'Manage cards' }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('No saved cards.')).toBeVisible();
  await page.getByRole('link', { name: 'Return to merchant' }).click();
  // The provider notifies the gateway, and the page refetches by itself.
  await expect(card).toContainText('No card is saved', { timeout: 30_000 });
  await expect(page.getByText('No card is saved: nothing will be charged.')).toBeVisible();
});

test('the overview warns of a low balance and links to Billing', async ({ page, request }) => {
  const { email, key } = await createPerson('low', 1.5);
  await signIn(page, email);
  await page.goto('/dashboard');
  await expect(page.getByText(/^Only /)).toHaveCount(0);
  await spend(request, key, 0.75);
  await page.reload();
  await expect(page.getByText('Only $0.75 is left')).toBeVisible();
  await page.getByRole('link', { name: 'Buy credit' }).first().click();
  await expect(page).toHaveURL('/dashboard/billing');
});

test('a monthly limit is set, measured, reached and removed', async ({ page, request }) => {
  const { email, key } = await createPerson('limit', 10);
  for (const usd of [1, 0.2]) await spend(request, key, usd);
  await signIn(page, email);
  await page.goto('/dashboard/billing');
  const limit = page.getByLabel('Monthly limit', { exact: true });
  await expect(limit).toBeDisabled();
  await page.getByRole('radio', { name: 'Limit spending' }).check();
  await limit.fill('two');
  await expect(page.getByText('Monthly limit: enter an amount')).toBeVisible();
  await limit.fill('1.50');
  await limit.press('Enter');
  await expect(page.getByText('Monthly limit saved')).toBeVisible();
  await page.reload();
  await expect(limit).toHaveValue('1.50');
  const meter = page.getByRole('meter', { name: 'Spent this month' });
  await expect(meter).toHaveAttribute('aria-valuetext', '$1.20 of $1.50');
  await expect(figure(page, 'At the limit')).toContainText('SPENDING_LIMIT_EXCEEDED');
  await expect(figure(page, 'Resets').getByRole('time')).toHaveAttribute(
    'datetime',
    /^\d{4}-\d{2}-01T00:00:00/,
  );
  expect(await callTool(request, key, 'spend', { amount_usd: 1 })).toMatchObject({
    status: 429,
    body: { error: { code: 'SPENDING_LIMIT_EXCEEDED' } },
  });
  await spend(request, key, 0.3);
  await page.reload();
  await expect(page.getByText('Limit reached')).toBeVisible();

  await page.getByRole('radio', { name: 'No limit' }).check();
  await saveButton(page, 'Monthly limit').click();
  await expect(page.getByText('Monthly limit removed')).toBeVisible();
  await spend(request, key, 1);
});

test('a member sees a team’s billing, but only owners and admins can buy credit', async ({
  page,
  newPage,
}) => {
  const owner = await createPerson('team-owner', 0);
  const member = await createPerson('team-member', 0);
  await signIn(page, owner.email);
  const { slug, invitation } = await makeTeam(page, 'Paying Team', member.email);
  await buyCredit(page, { amount: '10', billing: slug });
  await expect(figure(page, 'Available to Paying Team now')).toHaveText('$10.00');
  await page.getByRole('link', { name: 'View statement' }).click();
  await expect(page.getByLabel('Account', { exact: true })).toHaveValue(slug);
  await expectStatementSum(page, 10_000_000n);

  const other = await newPage();
  await signIn(other, member.email);
  await other.goto(invitation);
  await other.getByRole('button', { name: 'Join the team' }).click();
  await expect(other.getByRole('heading', { name: 'You are in Paying Team' })).toBeVisible();
  await other.goto('/dashboard/billing');
  await expect(figure(other, 'Available')).toHaveText('$0.00');
  await other.getByLabel('Account', { exact: true }).selectOption('Paying Team');
  await expect(figure(other, 'Available')).toHaveText('$10.00');
  await expect(other).toHaveURL(`/dashboard/billing?billing=${slug}`);
  await expect(other.getByText('Only owners and admins can buy credit')).toBeVisible();
  for (const name of ['Continue to payment', 'Manage cards', 'Save'])
    await expect(other.getByRole('button', { name })).toHaveCount(0);
  await expectStatementSum(other, 10_000_000n);
});

/** Creates a team and invites someone. @returns the path of the invitation */
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
  await dialog.getByLabel('Email', { exact: true }).fill(invited);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const link = await dialog.getByRole('status', { name: 'Invitation link' }).textContent();
  return { slug, invitation: link ?? '' };
}

/** The content of a file that the page would download. */
async function fetchText(url: string, page: Page): Promise<string> {
  return await (await page.request.get(url)).text();
}
