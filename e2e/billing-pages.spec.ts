import type { Page } from 'playwright/test';
import { checkAccessibility, saveScreenshot } from './support/check-accessibility';
import { createPerson, expect, signIn, test } from './support/fixtures';
import { actOnPayment, buyCredit, saveButton, spend, startPurchase, visitUntil } from './support/purchases';

test.describe('Billing', () => {
  test.setTimeout(300_000);
  test('passes the accessibility checks, in light and dark, wide and on a phone', async ({
    page,
    request,
  }) => {
    const { email, key } = await createPerson('looks', 3);
    await signIn(page, email);
    await checkAccessibility(page, { name: 'billing-empty', path: '/dashboard/billing' });
    const refunded = await buyCredit(page, { amount: '25', saveCard: true });
    for (const usd of [0.001, 0.25, 1, 0.000123]) await spend(request, key, usd);
    const disputed = await buyCredit(page, { amount: '10' });
    await actOnPayment(page, refunded, 'Refund', '5');
    await page.goto('/dashboard/billing');
    await page.getByRole('switch', { name: 'Recharge automatically' }).click();
    await saveButton(page, 'Threshold').click();
    await expect(page.getByText('Auto-recharge saved')).toBeVisible();
    for (const shown of [
      { name: 'billing', path: '/dashboard/billing' },
      { name: 'billing-wrong', path: '/dashboard/billing', prepare: writeWrongly },
      { name: 'billing-filtered', path: '/dashboard/billing?kind=refund&from=2001-01-01' },
      { name: 'billing-receipt', path: `/dashboard/billing/receipts/${refunded}` },
    ])
      await test.step(shown.name, () => checkAccessibility(page, shown));
    await actOnPayment(page, disputed, 'Dispute');
    await visitUntil(page, '/dashboard', page.getByText('A payment of this account is disputed'));
    await checkAccessibility(page, { name: 'overview-disputed', path: '/dashboard' });
    await checkAccessibility(page, { name: 'billing-disputed', path: '/dashboard/billing' });
  });

  test('shows every state of a purchase accessibly, in print too', async ({ page }) => {
    const { email } = await createPerson('looks', 0);
    await signIn(page, email);
    const payment = await buyCredit(page, { amount: '25' });
    await checkAccessibility(page, { name: 'billing-paid', path: page.url() });
    await startPurchase(page, { amount: '50' });
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing was charged' })).toBeVisible();
    const cancelled = page.url();
    for (const shown of [
      { name: 'billing-cancelled', path: cancelled },
      { name: 'billing-waiting', path: cancelled.replace('/cancelled', '/success') },
      { name: 'billing-unknown', path: '/dashboard/billing/success?order=order_unknown' },
    ])
      await test.step(shown.name, () => checkAccessibility(page, shown));
    await page.goto(`/dashboard/billing/receipts/${payment}`);
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByRole('article')).toBeVisible();
    await saveScreenshot(page, 'billing-receipt-print', { fullPage: true });
  });
});

async function writeWrongly(page: Page): Promise<void> {
  await page.getByLabel('Amount', { exact: true }).fill('5.001');
  await page.getByLabel('Threshold').fill('x');
  await expect(page.getByText('use whole cents')).toBeVisible();
}
