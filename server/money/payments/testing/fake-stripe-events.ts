import fc from 'fast-check';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSdk, pay } from '../../../../fakes/stripe/src/testing/client';
import { handlePaymentWebhook } from '../../../api/http/payment-webhook';
import type { FakeStripe } from '../../../platform/ports/ports';
import { reconcile } from '../../reconcile/reconcile';

interface SignedEvent {
  headers: Record<string, string>;
  body: string;
}

let harness: Harness;
let fakeStripe: FakeStripe;
let stripe: Stripe;
/** Signed events of the fake Stripe; while this is a list, the gateway receives none. */
let held: SignedEvent[] | null = null;

/** The fixtures of a test file, once started. */
export const getFixtures = () => ({ harness, fakeStripe, stripe });

/** Withholds events signed during `work` from the gateway. */
export async function withoutEvents<T>(work: () => Promise<T>): Promise<T> {
  held = [];
  try {
    const result = await work();
    await settled();
    return result;
  } finally {
    held = null;
  }
}

/** Starts a gateway with the fake Stripe and its SDK for the tests of a file. */
export function setUpFakeStripe(): void {
  beforeAll(async () => {
    harness = await startHarness({
      fakeStripe: true,
      // Only the tests fetch lost events.
      role: 'command',
      onEvent(event) {
        held?.push(event);
        return held === null;
      },
    });
    const { ports } = harness.runtime;
    if (!ports.fakeStripe) throw new Error('The fake Stripe is not running');
    fakeStripe = ports.fakeStripe;
    fakeStripe.start();
    stripe = createSdk(fakeStripe);
  });
  afterAll(async () => {
    await fakeStripe.close();
    await harness.close();
  });
}

export const getBalanceUsd = async (key: string): Promise<number> =>
  (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;

export const buy = async (key: string, amount: number) =>
  (await harness.request('POST', '/v1/billing/checkout', { key, json: { amount_usd: amount } })).body;

const deliver = async ({ headers, body }: SignedEvent) => {
  const request = new Request('http://gateway.test/api/stripe/webhook', { method: 'POST', headers, body });
  expect((await handlePaymentWebhook(request, harness.runtime)).status).toBe(200);
};

export async function findOrderPayment(orderId: string): Promise<Stripe.PaymentIntent> {
  for await (const payment of stripe.paymentIntents.list({ limit: 100 }))
    if (payment.metadata.order_id === orderId) return payment;
  throw new Error('The order has no payment');
}

/**
 * Checks that any permutation of the fake Stripe's events, with repetition, ends in the balance
 * that its objects imply.
 */
export async function checkPermutations(numRuns: number): Promise<void> {
  const steps = fc.array(
    fc.constantFrom('refund 1', 'refund 333', 'refund rest', 'dispute', 'won', 'lost', 'inquiry'),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 100_000 }),
      steps,
      fc.infiniteStream(fc.nat()),
      async (cents, wanted, random) => {
        const person = await harness.person();
        held = [];
        const checkout = await buy(person.key, cents / 100);
        await pay(fakeStripe, checkout.url);
        const payment = await findOrderPayment(checkout.order_id);
        for (const step of wanted) await take(step, payment.id);
        const expected = await computeImplied(payment.id, BigInt(cents) * 10_000n);
        await settled();
        const events = held.filter(
          ({ body }) => body.includes(payment.id) || body.includes(checkout.order_id),
        );
        const next = () => random.next().value;
        const order = events.map((event) => [next(), event] as const).sort(([a], [b]) => a - b);
        const repeated = events.filter(() => next() % 2 === 0);
        for (const event of [...order.map(([, event]) => event), ...repeated]) await deliver(event);
        const [row] = await harness.runtime.sql<{ net: bigint }[]>`
          select balance_microusd - debt_microusd as net from accounts where id = ${person.accountId}`;
        expect(row?.net).toBe(expected);
      },
    ),
    { numRuns },
  );
  held = null;
  const { differences, provider } = await reconcile(harness.runtime, true);
  expect(differences).toEqual([]);
  expect(provider).toBeGreaterThan(0);
}

/** Waits until each event has been sent and answered once. */
async function settled(): Promise<void> {
  const unsent = async () =>
    (await harness.runtime.sql`select 1 from fake_stripe.deliveries where last_answer is null`).length;
  await expect.poll(unsent, { timeout: 30_000 }).toBe(0);
}

/**
 * Applies an action of the buyer, the bank or the operator to a payment; does nothing if it is
 * impossible now.
 */
async function take(step: string, paymentId: string): Promise<void> {
  const payment = await stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] });
  const charge = payment.latest_charge as Stripe.Charge;
  const left = charge.amount - charge.amount_refunded;
  const { data } = await stripe.disputes.list({ payment_intent: paymentId });
  const open = data.find(({ status }) => status === 'needs_response');
  const standing = data.some(({ status }) => status !== 'won' && !status.startsWith('warning'));
  const post = (path: string, params: Record<string, string> = {}) =>
    stripe.rawRequest('POST', `/v1/test_helpers/disputes${path}`, params);
  if (step.startsWith('refund') && left > 0 && !standing) {
    const amount = step === 'refund rest' ? left : Math.min(left, Number(step.slice(7)));
    await stripe.refunds.create({ payment_intent: paymentId, amount });
  } else if (step === 'dispute' && data.length === 0) await post('', { payment_intent: paymentId });
  else if (step === 'inquiry' && data.length === 0)
    await post('', { payment_intent: paymentId, inquiry: 'true' });
  else if (open && step === 'won') await post(`/${open.id}/win`);
  else if (open && step === 'lost') await post(`/${open.id}/lose`);
}

/** The credit that Stripe's own objects imply, computed independently of the product. */
async function computeImplied(paymentId: string, credits: bigint): Promise<bigint> {
  const payment = await stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] });
  if (payment.status !== 'succeeded') return 0n;
  const charge = payment.latest_charge as Stripe.Charge;
  const { data } = await stripe.disputes.list({ payment_intent: paymentId });
  const lost = data
    .filter(({ status }) => ['needs_response', 'under_review', 'lost'].includes(status))
    .reduce((sum, { amount }) => sum + amount, 0);
  const share = (cents: number) => Math.round((Number(credits) * cents) / charge.amount);
  const refunded = charge.amount_refunded;
  if (refunded + lost >= charge.amount) return 0n;
  return BigInt(Math.max(0, Number(credits) - share(refunded) - share(lost)));
}
