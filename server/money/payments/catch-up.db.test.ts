import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { handlePaymentWebhook } from '../../api/http/payment-webhook';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { PaymentEvent } from '../../platform/ports/ports';
import { reconcile } from '../reconcile/reconcile';
import { catchUpCheckouts, catchUpEvents } from './catch-up';

/** Stores its events and lists them oldest first, as Stripe's API does. */
class EventfulPayments extends FakePayments {
  readonly events: PaymentEvent[] = [];
  failsAfter = Number.POSITIVE_INFINITY;

  override async *listEvents(since?: Date): AsyncGenerator<PaymentEvent> {
    let listed = 0;
    for (const event of this.events) {
      if (since && event.createdAt < since) continue;
      if (listed++ >= this.failsAfter) throw new PaymentsUnavailable('the provider is away');
      yield event;
    }
  }

  emit(type: string, paymentId: string, createdAt: Date, more: Partial<PaymentEvent> = {}): PaymentEvent {
    const id = `evt_${this.events.length}_${paymentId}`;
    const event = { id, type, live: false, createdAt, paymentId, sessionId: null, customerId: null, ...more };
    this.events.push(event);
    return event;
  }
}

const payments = new EventfulPayments();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ ports: { payments }, role: 'command' });
});
afterAll(() => harness.close());
afterEach(() => {
  payments.failsAfter = Number.POSITIVE_INFINITY;
});

const fetchBalance = async (key: string): Promise<number> =>
  (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;
const checkout = async (key: string): Promise<string> =>
  (await harness.request('POST', '/v1/billing/checkout', { key, json: { amount_usd: 10 } })).body.order_id;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const never = new AbortController().signal;

/** Ten dollars bought, and refunded an hour ago without an event. */
async function refunded() {
  const { key } = await harness.person();
  const orderId = await checkout(key);
  const paymentId = payments.complete(`cs_${orderId}`);
  payments.emit('payment_intent.succeeded', paymentId, hoursAgo(2));
  payments.objects(paymentId).refundedCents = 1080;
  payments.emit('charge.refunded', paymentId, hoursAgo(1));
  return key;
}

describe('undelivered events are fetched', () => {
  it('including those after which a round ended early', async () => {
    const keys = [await refunded(), await refunded()];
    payments.failsAfter = 1;
    await expect(catchUpEvents(harness.runtime, never)).rejects.toThrow('away');
    payments.failsAfter = Number.POSITIVE_INFINITY;
    await catchUpEvents(harness.runtime, never);
    const events = await harness.runtime.sql`select id from payment_events where outcome = 'applied'`;
    expect(events).toHaveLength(payments.events.length);
    for (const key of keys) expect(await fetchBalance(key)).toBe(0);
  });

  it('including those older than a delivered one', async () => {
    const key = await refunded();
    const late = await refunded();
    await harness.runtime.sql`update payment_event_marks set fetched_until = now() - interval '3 hours'`;
    const event = payments.emit('charge.updated', [...payments.facts.keys()].at(-1) ?? '', new Date());
    await harness.runtime.sql`insert into payment_events (id, type, outcome, finished_at)
      values (${event.id}, ${event.type}, 'applied', now())`;
    await catchUpEvents(harness.runtime, never);
    expect(await fetchBalance(key)).toBe(0);
    expect(await fetchBalance(late)).toBe(0);
    expect(payments.events).toHaveLength((await harness.runtime.sql`select 1 from payment_events`).length);
  });
});

it('orders of a former mode do not keep others from being polled', async () => {
  const { accountId, key } = await harness.person();
  await harness.runtime.sql`
    insert into orders (id, kind, mode, account_id, created_by, credits_microusd, fee_microusd, total_cents, session_id,
      expires_at, created_at)
    select 'order_old' || n, 'checkout', 'test', ${accountId}, 'test', 10000000, 800000, 1080, 'cs_old' || n,
      now() - interval '2 days', now() - interval '3 days' from generate_series(1, 50) n`;
  const orderId = await checkout(key);
  payments.complete(`cs_${orderId}`);
  await harness.runtime
    .sql`update orders set created_at = now() - interval '3 minutes' where id = ${orderId}`;
  await catchUpCheckouts(harness.runtime, never);
  expect(await fetchBalance(key)).toBe(10);
  const open = await harness.runtime.sql`select id from orders where status = 'open' and mode = 'test'`;
  expect(open).toHaveLength(0);
});

it('an event of a checkout whose session was not stored leads to its payment', async () => {
  const { key } = await harness.person();
  const orderId = await checkout(key);
  await harness.runtime.sql`update orders set session_id = null where id = ${orderId}`;
  const sessionId = `cs_${orderId}`;
  const paymentId = payments.complete(sessionId);
  const event = {
    id: 'evt_session',
    type: 'checkout.session.completed',
    live: false,
    paymentId,
    sessionId,
    customerId: null,
  };
  const sent = new Request('http://gateway.test/api/stripe/webhook', {
    method: 'POST',
    headers: { 'stripe-signature': 'signed' },
    body: JSON.stringify(event),
  });
  expect((await handlePaymentWebhook(sent, harness.runtime)).status).toBe(200);
  expect(await fetchBalance(key)).toBe(10);
});

it('reconcile detects a dispute with an undelivered end', async () => {
  const { key } = await harness.person();
  const paymentId = payments.complete(`cs_${await checkout(key)}`);
  const dispute = { id: 'dp_1', cents: 1080, state: 'open' as const };
  payments.objects(paymentId).disputes = [dispute];
  payments.emit('charge.dispute.created', paymentId, new Date());
  await catchUpEvents(harness.runtime, never);
  expect((await reconcile(harness.runtime, true)).differences).toEqual([]);
  payments.objects(paymentId).disputes = [{ ...dispute, state: 'lost' }];
  expect((await reconcile(harness.runtime, true)).differences).toMatchObject([
    { check: 'payment equals the provider', subject: paymentId },
  ]);
}, 120_000);
