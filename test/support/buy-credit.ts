import { expect } from 'vitest';
import type { FakeStripe } from '@/server/platform/ports/ports';
import type { Harness } from './harness';

/**
 * Buys credit as a person does: creates a checkout, fills in its page at the fake Stripe and saves
 * the card. Resolves when the credit has been added.
 */
export async function buyCredit(
  harness: Harness,
  { key, usd, number }: { key: string; usd: number; number: string },
): Promise<void> {
  const fakeStripe = getFakeStripe(harness);
  const before = (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;
  const asked = await harness.request('POST', '/v1/billing/checkout', {
    key,
    json: { amount_usd: usd, save_card: true },
  });
  expect(asked.status).toBe(200);
  // The gateway strips this path prefix before it passes requests to the fake Stripe.
  const page = asked.body.url.replace('/fake-stripe/', '/');
  const html = await (await fakeStripe.serve(new Request(page))).text();
  const nonce = /name="nonce" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const paid = await fakeStripe.serve(
    new Request(page, {
      method: 'POST',
      body: new URLSearchParams({
        nonce,
        means: 'card',
        email: 'pat@example.test',
        number,
        expiry: '12/34',
        cvc: '123',
        name: 'Test Customer',
      }),
    }),
  );
  expect(paid.status).toBe(303);
  await expect
    .poll(async () => (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd, {
      timeout: 10_000,
    })
    .toBe(before + usd);
}

/** Returns the fake Stripe of a harness. @throws when the harness has none */
export function getFakeStripe({ runtime }: Harness): FakeStripe {
  const { fakeStripe } = runtime.ports;
  if (!fakeStripe) throw new Error('This harness has no fake Stripe: start it with `fakeStripe: true`.');
  return fakeStripe;
}
