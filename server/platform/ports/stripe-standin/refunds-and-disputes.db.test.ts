import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { errorOf, startWorld, type World } from './testing/standin-world';

let database: TestDatabase;
let world: World;
let stripe: Stripe;
beforeAll(async () => {
  database = await createTestDatabase();
  world = startWorld(database);
  stripe = world.stripe;
});
afterAll(async () => {
  await world.close();
  await database.drop();
});

/** A payment of $10.80. */
async function paid(): Promise<string> {
  const { id } = await stripe.paymentIntents.create({
    amount: 1080,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  return id;
}

async function chargeOf(payment: string): Promise<Stripe.Charge> {
  const { latest_charge } = await stripe.paymentIntents.retrieve(payment, { expand: ['latest_charge'] });
  if (typeof latest_charge !== 'object' || latest_charge === null) throw new Error('it was not charged');
  return latest_charge;
}

/** The types of all events that tell of an object, first to last. */
async function eventsOf(id: string): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data
    .filter(({ data: { object } }) => 'id' in object && object.id === id)
    .map(({ type }) => type)
    .reverse();
}

/** What only the stand-in has. */
async function help(
  path: string,
  params: Record<string, unknown> = {},
): Promise<{ id: string; status: string }> {
  const answer: unknown = await stripe.rawRequest('POST', `/v1/test_helpers/${path}`, params);
  if (typeof answer === 'object' && answer && 'id' in answer && 'status' in answer)
    return { id: String(answer.id), status: String(answer.status) };
  throw new Error('no object');
}

describe('refunds', () => {
  test('give back a part, then the rest, never more', async () => {
    const payment = await paid();
    const part = await stripe.refunds.create({ payment_intent: payment, amount: 80 });
    expect(part).toMatchObject({ amount: 80, status: 'succeeded', payment_intent: payment });
    expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 80, refunded: false });
    expect(
      (await errorOf(stripe.refunds.create({ payment_intent: payment, amount: 1001 }))).message,
    ).toContain('greater than unrefunded amount');
    const rest = await stripe.refunds.create({ charge: (await chargeOf(payment)).id });
    expect(rest.amount).toBe(1000);
    const charge = await chargeOf(payment);
    expect(charge).toMatchObject({ amount_refunded: 1080, refunded: true });
    expect((await errorOf(stripe.refunds.create({ payment_intent: payment }))).code).toBe(
      'charge_already_refunded',
    );
    expect((await stripe.refunds.list({ payment_intent: payment })).data.map(({ id }) => id)).toEqual([
      rest.id,
      part.id,
    ]);
    expect(await eventsOf(part.id)).toEqual(['refund.created']);
    expect(await eventsOf(charge.id)).toEqual(['charge.succeeded', 'charge.refunded', 'charge.refunded']);
  });

  test('of one payment at once never exceed it', async () => {
    const payment = await paid();
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => stripe.refunds.create({ payment_intent: payment, amount: 400 })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await chargeOf(payment)).amount_refunded).toBe(800);
  });

  test('may fail later: the charge counts as paid again', async () => {
    const payment = await paid();
    const { id } = await stripe.refunds.create({ payment_intent: payment });
    expect(await help(`refunds/${id}/fail`)).toMatchObject({ id, status: 'failed' });
    expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await eventsOf(id)).toEqual([
      'refund.created',
      'refund.updated',
      'refund.failed',
      'charge.refund.updated',
    ]);
  });

  test('need a charge', async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    expect((await errorOf(stripe.refunds.create({ payment_intent: id }))).statusCode).toBe(400);
  });
});

describe('disputes', () => {
  test('take the money, and give it back when they are won', async () => {
    const payment = await paid();
    const { id, status } = await help('disputes', { payment_intent: payment });
    expect(status).toBe('needs_response');
    const open = await stripe.disputes.retrieve(id);
    expect(open).toMatchObject({ amount: 1080, payment_intent: payment, is_charge_refundable: false });
    expect(open.balance_transactions.map(({ amount }) => amount)).toEqual([-1080]);
    expect((await chargeOf(payment)).disputed).toBe(true);
    expect((await errorOf(stripe.refunds.create({ payment_intent: payment }))).code).toBe('charge_disputed');
    expect((await errorOf(help('disputes', { payment_intent: payment }))).code).toBe('charge_disputed');

    expect((await help(`disputes/${id}/win`)).status).toBe('won');
    expect((await stripe.disputes.list({ payment_intent: payment })).data).toMatchObject([
      { id, status: 'won' },
    ]);
    expect(await eventsOf(id)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ]);
    expect((await errorOf(help(`disputes/${id}/lose`))).statusCode).toBe(400);
  });

  test('are lost, or given up', async () => {
    const lost = await help('disputes', { payment_intent: await paid(), amount: 500 });
    expect((await help(`disputes/${lost.id}/lose`)).status).toBe('lost');
    const givenUp = await help('disputes', { charge: (await chargeOf(await paid())).id });
    expect(await stripe.disputes.close(givenUp.id)).toMatchObject({ status: 'lost' });
  });

  test('are decided by the words that Stripe’s test mode knows', async () => {
    const { id } = await help('disputes', { payment_intent: await paid() });
    const answered = await stripe.disputes.update(id, { evidence: { uncategorized_text: 'a letter' } });
    expect(answered.status).toBe('under_review');
    const won = await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
    expect(won.status).toBe('won');
  });

  test('that are only questions take no money', async () => {
    const payment = await paid();
    const { id, status } = await help('disputes', { payment_intent: payment, inquiry: true });
    expect(status).toBe('warning_needs_response');
    expect((await stripe.disputes.retrieve(id)).balance_transactions).toEqual([]);
    expect((await stripe.refunds.create({ payment_intent: payment })).status).toBe('succeeded');
    expect((await help(`disputes/${id}/win`)).status).toBe('warning_closed');
  });
});
