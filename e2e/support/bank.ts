import { sql } from 'drizzle-orm';
import { expect, type Locator, type Page } from 'playwright/test';
import { database } from './database';

/** The poll interval of the purchase page while the bank transfer is processing. */
const REFRESH_MS = 5_000;

/**
 * Pays by one of the fake bank transfers. `settleBankTransfer` settles it at once instead of after
 * five seconds.
 */
export async function payByBank(page: Page, transfer: string): Promise<void> {
  // Only the first request: a later one would postpone a transfer that is being settled.
  await page.route(
    /\/dashboard\/billing\/success/,
    async (route) => {
      await postponeSettlement();
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole('radio', { name: transfer }).check();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByRole('heading', { name: 'Your bank payment is processing' })).toBeVisible();
}

/** Settles or fails the transfer and waits until the page shows it; requires `page.clock`. */
export async function settleBankTransfer(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    // Each time: a write of the fake that read the transfer before would restore the old time.
    await setSettlementTime(0);
    await page.clock.runFor(REFRESH_MS);
    await expect(shown).toBeVisible({ timeout: 500 });
  }).toPass();
}

async function postponeSettlement(): Promise<void> {
  await setSettlementTime(2 ** 40);
}

/** Sets the time of all processing transfers, in seconds since 1970. */
async function setSettlementTime(seconds: number): Promise<void> {
  await database().execute(sql`
    update fake_stripe.objects set hidden = jsonb_set(hidden, '{settles,at}', to_jsonb(${seconds}::bigint))
    where kind = 'payment_intent' and data->>'status' = 'processing' and hidden->'settles' is not null`);
}
