import type { APIRequestContext, Locator, Page } from 'playwright/test';
import { callTool, expect } from './fixtures';

/** The fake Stripe's test cards. */
export const CARDS = {
  visa: '4242 4242 4242 4242',
  mastercard: '5555 5555 5555 4444',
  declined: '4000 0000 0000 0002',
} as const;

interface Purchase {
  /** The amount as typed. */
  amount: string;
  saveCard?: boolean;
  /** A team's slug. */
  billing?: string;
}

/** From Billing to the hosted payment page. */
export async function startPurchase(page: Page, { amount, saveCard, billing }: Purchase): Promise<void> {
  await page.goto(`/dashboard/billing${billing ? `?billing=${billing}` : ''}`);
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  if (saveCard) await page.getByLabel('Save this card for auto-recharge').check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('heading', { name: 'Your order' })).toBeVisible();
}

/** Pays by card on the hosted page. */
export async function payByCard(page: Page, card: string = CARDS.visa): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
}

/** A complete purchase. @returns the id of its payment */
export async function buyCredit(page: Page, purchase: Purchase): Promise<string> {
  await startPurchase(page, purchase);
  await payByCard(page);
  await expect(page.getByRole('heading', { name: 'Credit added' })).toBeVisible();
  const href = await page.getByRole('link', { name: 'View receipt' }).getAttribute('href');
  return href?.split('/').at(-1) ?? '';
}

/** Simulates an action of the bank or cardholder in the fake Stripe's control panel. */
export async function actOnPayment(
  page: Page,
  paymentId: string,
  button: 'Refund' | 'Dispute' | 'Win' | 'Lose' | 'Complete' | 'Fail',
  dollars?: string,
): Promise<void> {
  await page.goto('/fake-stripe/');
  const row = page.getByRole('row').filter({ hasText: paymentId });
  if (dollars) await row.getByLabel('Dollars to refund').fill(dollars);
  await row.getByRole('button', { name: button }).click();
  await expect(page.getByRole('heading', { name: 'Fake Stripe' })).toBeVisible();
}

/** The save button of the form with this field. */
export function saveButton(page: Page, field: string): Locator {
  const form = page.locator('form').filter({ has: page.getByLabel(field, { exact: true }) });
  return form.getByRole('button', { name: 'Save' });
}

/** The value next to a term in a description list. */
export function figure(page: Page, name: string) {
  return page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]');
}

/** The sum of all amounts in the statement in micro-dollars, once all entries are shown. */
export async function sumOfStatement(page: Page): Promise<bigint> {
  const table = page.getByRole('table', { name: /^Statement/ });
  await expect(page.getByText('all shown').first()).toBeVisible();
  const usd = await table
    .getByRole('row')
    .locator('td:nth-of-type(2) data')
    .evaluateAll((cells) => cells.map((cell) => (cell as HTMLDataElement).value));
  expect(usd.length).toBeGreaterThan(0);
  return usd.reduce((sum, value) => sum + microusd(value), 0n);
}

/** Waits for this sum: the statement is fetched separately from other data. */
export async function expectStatementSum(page: Page, microUsd: bigint): Promise<void> {
  await expect(async () => expect(await sumOfStatement(page)).toBe(microUsd)).toPass();
}

/** The micro-dollars of a `<data>` element with an amount. */
export function microusd(usd: string): bigint {
  return BigInt(Math.round(Number(usd) * 1e6));
}

/** Spends exactly this amount, at most a dollar. */
export async function spend(request: APIRequestContext, key: string, usd: number): Promise<void> {
  expect((await callTool(request, key, 'spend', { amount_usd: usd })).status).toBe(200);
}

/** Reloads a page until it shows the effect of a provider event. */
export async function visitUntil(page: Page, path: string, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.goto(path);
    await expect(shown).toBeVisible({ timeout: 2_000 });
  }).toPass();
}
