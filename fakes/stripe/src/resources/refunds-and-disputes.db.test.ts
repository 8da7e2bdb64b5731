import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { catchStripeError, type Fixture, startFixture } from '../testing/fixture';

let database: TestDatabase;
let fixture: Fixture;
let stripe: Stripe;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = startFixture(database);
  stripe = fixture.stripe;
});
afterAll(async () => {
  await fixture.close();
  await database.drop();
});

/** Creates a payment of $10.80. */
async function createPayment(): Promise<string> {
  const { id } = await stripe.paymentIntents.create({
    amount: 1080,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  return id;
}

async function getCharge(payment: string): Promise<Stripe.Charge> {
  const { latest_charge } = await stripe.paymentIntents.retrieve(payment, { expand: ['latest_charge'] });
  if (typeof latest_charge !== 'object' || latest_charge === null)
    throw new Error('The payment has no charge.');
  return latest_charge;
}

/** The types of the events of an object, oldest first. */
async function listEventTypes(id: string): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data
    .filter(({ data: { object } }) => 'id' in object && object.id === id)
    .map(({ type }) => type)
    .reverse();
}

/** Calls a test helper that only the fake has. */
async function callHelper(
  path: string,
  params: Record<string, unknown> = {},
): Promise<{ id: string; status: string }> {
  const response: unknown = await stripe.rawRequest('POST', `/v1/test_helpers/${path}`, params);
  if (typeof response === 'object' && response && 'id' in response && 'status' in response)
    return { id: String(response.id), status: String(response.status) };
  throw new Error('The response is not an object with a status.');
}

describe('refunds', () => {
  it('return part of a charge, then the rest, never more', async () => {
    const payment = await createPayment();
    const part = await stripe.refunds.create({ payment_intent: payment, amount: 80 });
    expect(part).toMatchObject({ amount: 80, status: 'succeeded', payment_intent: payment });
    expect(await getCharge(payment)).toMatchObject({ amount_refunded: 80, refunded: false });
    expect(
      (await catchStripeError(stripe.refunds.create({ payment_intent: payment, amount: 1001 }))).message,
    ).toContain('greater than unrefunded amount');
    const rest = await stripe.refunds.create({ charge: (await getCharge(payment)).id });
    expect(rest.amount).toBe(1000);
    const charge = await getCharge(payment);
    expect(charge).toMatchObject({ amount_refunded: 1080, refunded: true });
    expect((await catchStripeError(stripe.refunds.create({ payment_intent: payment }))).code).toBe(
      'charge_already_refunded',
    );
    expect((await stripe.refunds.list({ payment_intent: payment })).data.map(({ id }) => id)).toEqual([
      rest.id,
      part.id,
    ]);
    expect(await listEventTypes(part.id)).toEqual(['refund.created']);
    expect(await listEventTypes(charge.id)).toEqual([
      'charge.succeeded',
      'charge.refunded',
      'charge.refunded',
    ]);
  });

  it('never exceed a payment when they are concurrent', async () => {
    const payment = await createPayment();
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => stripe.refunds.create({ payment_intent: payment, amount: 400 })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await getCharge(payment)).amount_refunded).toBe(800);
  });

  it('can fail later: the charge is no longer refunded', async () => {
    const payment = await createPayment();
    const { id } = await stripe.refunds.create({ payment_intent: payment });
    expect(await callHelper(`refunds/${id}/fail`)).toMatchObject({ id, status: 'failed' });
    expect(await getCharge(payment)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await listEventTypes(id)).toEqual([
      'refund.created',
      'refund.updated',
      'refund.failed',
      'charge.refund.updated',
    ]);
  });

  it('require a charge', async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    expect((await catchStripeError(stripe.refunds.create({ payment_intent: id }))).statusCode).toBe(400);
  });
});

describe('disputes', () => {
  it('withdraw funds, and reinstate them when they are won', async () => {
    const payment = await createPayment();
    const { id, status } = await callHelper('disputes', { payment_intent: payment });
    expect(status).toBe('needs_response');
    const open = await stripe.disputes.retrieve(id);
    expect(open).toMatchObject({ amount: 1080, payment_intent: payment, is_charge_refundable: false });
    expect(open.balance_transactions.map(({ amount }) => amount)).toEqual([-1080]);
    expect((await getCharge(payment)).disputed).toBe(true);
    expect((await catchStripeError(stripe.refunds.create({ payment_intent: payment }))).code).toBe(
      'charge_disputed',
    );
    expect((await catchStripeError(callHelper('disputes', { payment_intent: payment }))).code).toBe(
      'charge_disputed',
    );

    expect((await callHelper(`disputes/${id}/win`)).status).toBe('won');
    expect((await stripe.disputes.list({ payment_intent: payment })).data).toMatchObject([
      { id, status: 'won' },
    ]);
    expect(await listEventTypes(id)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ]);
    expect((await catchStripeError(callHelper(`disputes/${id}/lose`))).statusCode).toBe(400);
  });

  it('can be lost or accepted', async () => {
    const lost = await callHelper('disputes', { payment_intent: await createPayment(), amount: 500 });
    expect((await callHelper(`disputes/${lost.id}/lose`)).status).toBe('lost');
    const accepted = await callHelper('disputes', { charge: (await getCharge(await createPayment())).id });
    expect(await stripe.disputes.close(accepted.id)).toMatchObject({ status: 'lost' });
  });

  it('are decided by the evidence texts of Stripe’s test mode', async () => {
    const { id } = await callHelper('disputes', { payment_intent: await createPayment() });
    const updated = await stripe.disputes.update(id, { evidence: { uncategorized_text: 'a letter' } });
    expect(updated.status).toBe('under_review');
    const won = await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
    expect(won.status).toBe('won');
  });

  it('withdraw no funds for an inquiry', async () => {
    const payment = await createPayment();
    const { id, status } = await callHelper('disputes', { payment_intent: payment, inquiry: true });
    expect(status).toBe('warning_needs_response');
    expect((await stripe.disputes.retrieve(id)).balance_transactions).toEqual([]);
    expect((await stripe.refunds.create({ payment_intent: payment })).status).toBe('succeeded');
    expect((await callHelper(`disputes/${id}/win`)).status).toBe('warning_closed');
  });
});
