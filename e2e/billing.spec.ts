import { payByBank, settleBankTransfer } from './support/bank';
import { createPerson, expect, signIn, signInByEmail, test } from './support/fixtures';
import { buyCredit, CARDS, figure, payByCard, startPurchase } from './support/purchases';

const PRETEND = 'Test mode: payments are simulated. No card is charged.';

test('buying ten dollars of credit shows the price before the payment page, and the credit once it is paid', {
  tag: '@journey',
}, async ({ page }) => {
  const { email } = await createPerson('buyer', 2);
  await signIn(page, email);
  await page.goto('/dashboard');
  const header = page.getByRole('banner').locator('data');
  await expect(header).toHaveText('$2.00');
  await page.getByRole('link', { name: 'Buy credit' }).first().click();
  await expect(page.getByText(PRETEND)).toBeVisible();

  await page.getByRole('radio', { name: '$25' }).check();
  await expect(figure(page, 'Total')).toHaveText('$26.38');
  await page.getByRole('radio', { name: '$10', exact: true }).check();
  await expect(figure(page, 'Credit')).toHaveText('$10.00');
  await expect(figure(page, 'Fee: 5.5%, at least \\$0.80')).toHaveText('$0.80');
  await expect(figure(page, 'Total')).toHaveText('$10.80');
  await page.getByRole('button', { name: 'Continue to payment' }).click();

  await expect(page).toHaveURL(/\/fake-stripe\/checkout\//);
  const order = page.getByRole('region', { name: 'Your order' });
  await expect(order).toContainText('$10.00');
  await expect(order).toContainText('$0.80');
  await expect(order).toContainText('$10.80');
  await payByCard(page);

  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(figure(page, 'Credit')).toHaveText('$10.00');
  await expect(figure(page, 'Total')).toHaveText('$10.80');
  await expect(figure(page, 'Available now')).toHaveText('$12.00');
  await expect(header).toHaveText('$12.00');
  // Unchanged after a reload: the credit is added only once.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(header).toHaveText('$12.00');

  await page.getByRole('link', { name: 'View receipt' }).click();
  const receipt = page.getByRole('article', { name: /^Receipt R-/ });
  for (const words of ['Visa •••• 4242', email, '$10.80', 'Test mode']) {
    await expect(receipt).toContainText(words);
  }
});

test('the success page shows credit only for a paid order, for any visitor', async ({ page, context }) => {
  const { email } = await createPerson('waits', 0);
  await signIn(page, email);
  await startPurchase(page, { amount: '12.50' });
  const hosted = page.url();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing was charged' })).toBeVisible();

  await page.goto(page.url().replace('/cancelled', '/success'));
  await expect(page.getByRole('heading', { name: 'Waiting for the payment provider…' })).toBeVisible();
  const checkout = await context.newPage();
  await checkout.goto(hosted);
  await payByCard(checkout);
  await expect(checkout.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(page.getByRole('banner').locator('data')).toHaveText('$12.50');

  // The cancel URL shows the same status.
  await checkout.goto(page.url().replace('/success', '/cancelled'));
  await expect(checkout.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await checkout.close();
});

test('a declined card buys nothing; another card on the same page does', async ({ page }) => {
  const { email } = await createPerson('declined', 0);
  await signIn(page, email);
  await startPurchase(page, { amount: '10' });
  await payByCard(page, CARDS.declined);
  await expect(page.getByRole('alert')).toContainText('declined');
  await payByCard(page, CARDS.mastercard);
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  await expect(page.getByRole('banner').locator('data')).toHaveText('$10.00');
  await page.getByRole('link', { name: 'View statement' }).click();
  const lines = page.getByRole('table', { name: /^Statement/ }).getByRole('row');
  await expect(lines).toHaveCount(2);
  await expect(lines.nth(1)).toContainText('Mastercard •••• 4444');
});

test('a cancelled purchase charges nothing and can still be completed', async ({ page }) => {
  const { email } = await createPerson('cancels', 0);
  await signIn(page, email);
  await startPurchase(page, { amount: '50' });
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing was charged' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start again' })).toBeVisible();
  await expect(page.getByRole('banner').locator('data')).toHaveText('$0.00');
  await page.getByRole('link', { name: 'Complete payment' }).click();
  await payByCard(page);
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
});

test('a bank transfer is processing until it settles or fails', async ({ page }) => {
  const { email } = await createPerson('bank', 0);
  await signIn(page, email);
  await page.clock.install();
  const header = page.getByRole('banner').locator('data');
  await startPurchase(page, { amount: '20' });
  await payByBank(page, 'Test bank transfer (succeeds');
  await expect(header).toHaveText('$0.00');
  await settleBankTransfer(page, page.getByRole('heading', { name: 'Credit added' }));
  await expect(header).toHaveText('$20.00');

  await startPurchase(page, { amount: '30' });
  await payByBank(page, 'Test bank transfer that fails');
  await settleBankTransfer(page, page.getByRole('heading', { name: 'The payment failed' }));
  await expect(header).toHaveText('$20.00');
});

test('an amount is validated while typing, and an invalid one cannot be submitted', async ({ page }) => {
  const { email } = await createPerson('amounts', 0);
  await signIn(page, email);
  await page.goto('/dashboard/billing');
  const amount = page.getByLabel('Amount', { exact: true });
  for (const [text, words] of [
    ['0.99', 'the minimum is $1.00'],
    ['10000.01', 'the maximum is $10,000.00'],
    ['5.001', 'whole cents'],
    ['ten', 'enter an amount'],
  ] as const) {
    await amount.fill(text);
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
    await expect(figure(page, 'Total')).toHaveText('—');
  }
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(amount).toBeFocused();
  await expect(page).toHaveURL('/dashboard/billing');
  await amount.fill('$1,000');
  await expect(figure(page, 'Fee: 5.5%, at least \\$0.80')).toHaveText('$55.00');
});

test('another person’s purchases, receipts and accounts are not found', async ({ page }) => {
  const mine = await createPerson('mine', 0);
  const theirs = await createPerson('theirs', 0);
  await signIn(page, theirs.email);
  const payment = await buyCredit(page, { amount: '10' });
  const order = new URL(page.url()).searchParams.get('order');
  await page.context().clearCookies();

  // Signing in returns to the same purchase.
  await page.goto(`/dashboard/billing/success?order=${order}`);
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await signInByEmail(page, mine.email, page.url());
  for (const path of [
    `/dashboard/billing/success?order=${order}`,
    `/dashboard/billing/cancelled?order=${order}`,
    '/dashboard/billing/success',
    `/dashboard/billing/receipts/${payment}`,
  ]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
    await expect(page.getByText('Purchase or account not found')).toBeVisible();
  }
  expect((await page.goto('/dashboard/billing?billing=no-such-team'))?.status()).toBe(404);
  await expect(page.getByText('You are not in a team called “no-such-team”')).toBeVisible();
});
