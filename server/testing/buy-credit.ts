import { expect } from 'vitest';
import type { StripeStandin } from '../platform/ports/stripe-standin/stripe-standin';
import type { Harness } from './harness';

/**
 * Buys credit as a person does: asks for a checkout, fills in its page at the stand-in for Stripe, and keeps the card.
 * Returns when the credit is there.
 */
export async function buyCredit(
  harness: Harness,
  { key, usd, number }: { key: string; usd: number; number: string },
): Promise<void> {
  const standin = standinOf(harness);
  const before = (await harness.ask('GET', '/v1/billing/balance', { key })).body.available_usd;
  const asked = await harness.ask('POST', '/v1/billing/checkout', {
    key,
    json: { amount_usd: usd, save_card: true },
  });
  expect(asked.status).toBe(200);
  // As the server that serves its pages hands the requests on: without the folder they are in.
  const page = asked.body.url.replace('/stripe-standin/', '/');
  const html = await (await standin.serve(new Request(page))).text();
  const nonce = /name="nonce" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const paid = await standin.serve(
    new Request(page, {
      method: 'POST',
      body: new URLSearchParams({
        nonce,
        means: 'card',
        email: 'pat@example.test',
        number,
        expiry: '12/34',
        cvc: '123',
        name: 'Pat Pretend',
      }),
    }),
  );
  expect(paid.status).toBe(303);
  await expect
    .poll(async () => (await harness.ask('GET', '/v1/billing/balance', { key })).body.available_usd, {
      timeout: 10_000,
    })
    .toBe(before + usd);
}

/** The stand-in for Stripe of a harness that has one. */
export function standinOf({ runtime }: Harness): StripeStandin {
  const { stripeStandin } = runtime.ports;
  if (!stripeStandin) throw new Error('This harness has no stand-in for Stripe');
  return stripeStandin;
}
