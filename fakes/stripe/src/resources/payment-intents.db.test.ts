import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { browse, createSdk, pay, readField } from '../testing/client';
import { catchStripeError, createCheckout, type Fixture, ROOT, startFixture } from '../testing/fixture';

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

/** Creates a customer with a card that a checkout saved. */
async function customerWithCard(number: string): Promise<{ customer: string; card: string }> {
  const { id: customer } = await stripe.customers.create({ name: 'Pat' });
  const { url } = await createCheckout(stripe, {
    customer,
    payment_intent_data: { setup_future_usage: 'off_session' },
  });
  const page = await pay(fixture.fakeStripe, url, { number });
  if (page.location?.startsWith(`${ROOT}/confirm/`)) {
    const { html } = await browse(fixture.fakeStripe, page.location);
    const secret = readField(html, 'secret');
    await browse(fixture.fakeStripe, page.location.replace(/\?.*/, ''), { secret, answer: 'confirm' });
  }
  const { data } = await stripe.customers.listPaymentMethods(customer);
  return { customer, card: data[0]?.id ?? '' };
}

/** Charges a saved card off session. */
function chargeOffSession(
  source: { customer: string; card: string },
  options: Stripe.RequestOptions = {},
  changes: Partial<Stripe.PaymentIntentCreateParams> = {},
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create(
    {
      amount: 2110,
      currency: 'usd',
      customer: source.customer,
      payment_method: source.card,
      confirm: true,
      off_session: true,
      description: 'Auto-reload',
      metadata: { order: 'order_2' },
      ...changes,
    },
    options,
  );
}

async function countCharges(customer: string, amount = 2110): Promise<number> {
  const { data } = await stripe.charges.list({ customer });
  return data.filter((charge) => charge.amount === amount && charge.paid).length;
}

describe('an off-session charge of a saved card', () => {
  it('succeeds', async () => {
    const source = await customerWithCard('4242424242424242');
    const intent = await chargeOffSession(source, {}, { expand: ['latest_charge', 'payment_method'] });
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount_received: 2110,
      livemode: false,
      metadata: { order: 'order_2' },
      latest_charge: { status: 'succeeded', description: 'Auto-reload' },
      payment_method: { id: source.card, card: { last4: '4242' } },
    });
  });

  it.each([
    ['4000000000000341', 'card_declined', 'generic_decline'],
    ['4000000000003220', 'authentication_required', 'authentication_required'],
    ['4000002760003184', 'authentication_required', 'authentication_required'],
  ])('with %s is declined with %s', async (number, code, declineCode) => {
    const source = await customerWithCard(number);
    const error = await catchStripeError(chargeOffSession(source));
    expect(error).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code,
      decline_code: declineCode,
      payment_intent: {
        status: 'requires_payment_method',
        metadata: { order: 'order_2' },
        last_payment_error: { code, decline_code: declineCode },
      },
    });
    expect(await countCharges(source.customer)).toBe(0);
    const found = await stripe.paymentIntents.retrieve(error.payment_intent?.id ?? '', {
      expand: ['latest_charge'],
    });
    expect(found.latest_charge).toMatchObject({ status: 'failed', failure_code: code });
  });

  it('succeeds if the card was authenticated when it was saved', async () => {
    expect((await chargeOffSession(await customerWithCard('4000002500003155'))).status).toBe('succeeded');
  });

  it('is rejected for a card of another customer, and for a detached card', async () => {
    const mine = await customerWithCard('4242424242424242');
    const other = await customerWithCard('4242424242424242');
    expect((await catchStripeError(chargeOffSession({ ...mine, card: other.card }))).statusCode).toBe(400);
    await stripe.paymentMethods.detach(mine.card);
    expect((await catchStripeError(chargeOffSession(mine))).statusCode).toBe(400);
    expect(
      (await catchStripeError(stripe.paymentMethods.attach(mine.card, { customer: mine.customer })))
        .statusCode,
    ).toBe(400);
    expect(await countCharges(mine.customer)).toBe(0);
  });
});

describe('faults of test cards', () => {
  it('charges once if the connection drops, and replays the response', async () => {
    const source = await customerWithCard('4000 0000 0000 7777');
    const options = { idempotencyKey: 'reload_cut' };
    expect(await catchStripeError(chargeOffSession(source, options))).toMatchObject({
      type: 'StripeConnectionError',
    });
    expect(await countCharges(source.customer)).toBe(1);
    const intent = await chargeOffSession(source, options);
    expect(intent.status).toBe('succeeded');
    expect(fixture.responses.at(-1)?.get('idempotent-replayed')).toBe('true');
    expect(await countCharges(source.customer)).toBe(1);
    expect((await chargeOffSession(source, { idempotencyKey: 'reload_next' })).status).toBe('succeeded');
  });

  it('lets the SDK retry after a dropped connection', async () => {
    const source = await customerWithCard('4000000000007777');
    stripe = createSdk(fixture.fakeStripe, { maxNetworkRetries: 2 });
    expect((await chargeOffSession(source)).status).toBe('succeeded');
    stripe = fixture.stripe;
    expect(await countCharges(source.customer)).toBe(1);
  });

  it('delays the response of a slow card by two seconds', async () => {
    const source = await customerWithCard('4000000000008888');
    const { untilHeld, release } = fixture.slowCards.holdNext();
    const charge = chargeOffSession(source);
    await untilHeld;
    expect(fixture.slowCards.waits).toEqual([2_000, 2_000]);
    expect(await countCharges(source.customer)).toBe(0);
    release();
    expect((await charge).status).toBe('succeeded');
  });
});

describe('Idempotency-Key', () => {
  it('replays the first response, also a decline', async () => {
    const source = await customerWithCard('4242424242424242');
    const first = await chargeOffSession(source, { idempotencyKey: 'key_1' });
    expect(fixture.responses.at(-1)?.has('idempotent-replayed')).toBe(false);
    expect(await chargeOffSession(source, { idempotencyKey: 'key_1' })).toEqual(first);
    expect(fixture.responses.at(-1)?.get('idempotent-replayed')).toBe('true');

    const bad = await customerWithCard('4000000000000341');
    const one = await catchStripeError(chargeOffSession(bad, { idempotencyKey: 'key_2' }));
    const two = await catchStripeError(chargeOffSession(bad, { idempotencyKey: 'key_2' }));
    expect(two.payment_intent?.id).toBe(one.payment_intent?.id);
    expect(two.headers?.['idempotent-replayed']).toBe('true');
    expect(
      (await stripe.charges.list({ customer: bad.customer })).data.filter(({ paid }) => !paid),
    ).toHaveLength(1);
  });

  it('rejects another request with the same key', async () => {
    const source = await customerWithCard('4242424242424242');
    const idempotencyKey = 'key_3';
    await chargeOffSession(source, { idempotencyKey });
    for (const request of [
      () => chargeOffSession(source, { idempotencyKey }, { amount: 2111 }),
      () => stripe.customers.create({ name: 'other path' }, { idempotencyKey }),
    ])
      expect(await catchStripeError(request())).toMatchObject({
        type: 'StripeIdempotencyError',
        statusCode: 400,
      });
  });

  it('responds 409 in all processes until the first request completes, and charges once', async () => {
    const source = await customerWithCard('4000000000008888');
    const idempotencyKey = 'key_4';
    const other = fixture.startAnother();
    const { untilHeld, release } = fixture.slowCards.holdNext();
    const first = chargeOffSession(source, { idempotencyKey });
    await untilHeld;
    stripe = other.stripe;
    const second = await catchStripeError(chargeOffSession(source, { idempotencyKey }));
    expect(second).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    stripe = fixture.stripe;
    release();
    expect((await first).status).toBe('succeeded');
    expect((await chargeOffSession(source, { idempotencyKey })).id).toBe((await first).id);
    expect(await countCharges(source.customer)).toBe(1);
  });

  it('makes one charge for fifty equal requests to two processes', async () => {
    const source = await customerWithCard('4242424242424242');
    const sdks = [fixture, fixture.startAnother()].map(({ fakeStripe }) =>
      createSdk(fakeStripe, { maxNetworkRetries: 5 }),
    );
    const intents = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        (sdks[at % 2] ?? stripe).paymentIntents.create(
          {
            amount: 2110,
            currency: 'usd',
            customer: source.customer,
            payment_method: source.card,
            confirm: true,
            off_session: true,
          },
          { idempotencyKey: 'key_5' },
        ),
      ),
    );
    expect(new Set(intents.map(({ id }) => id)).size).toBe(1);
    expect(await countCharges(source.customer)).toBe(1);
  });

  it('can be acquired again after its lease; the first request then fails without a charge', async () => {
    const source = await customerWithCard('4000000000008888');
    const idempotencyKey = 'key_7';
    const { untilHeld, release } = fixture.slowCards.holdNext();
    const first = catchStripeError(chargeOffSession(source, { idempotencyKey }));
    await untilHeld;
    await fixture.sql`
      update fake_stripe.requests set started_at = started_at - interval '11 seconds' where key = ${idempotencyKey}`;
    expect((await chargeOffSession(source, { idempotencyKey })).status).toBe('succeeded');
    release();
    expect(await first).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    expect(await countCharges(source.customer)).toBe(1);
  });

  it('can be used again after an invalid request', async () => {
    const idempotencyKey = 'key_6';
    const missing = { customer: 'cus_missing', card: 'pm_card_visa' };
    expect((await catchStripeError(chargeOffSession(missing, { idempotencyKey }))).statusCode).toBe(400);
    const { id } = await stripe.customers.create({}, { idempotencyKey });
    expect(id).toMatch(/^cus_/);
  });
});

describe('a payment intent', () => {
  it('is created, updated, confirmed and canceled', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'USD',
      metadata: { a: '1', b: '2' },
    });
    expect(intent).toMatchObject({ status: 'requires_payment_method', currency: 'usd' });
    const updated = await stripe.paymentIntents.update(intent.id, { metadata: { a: '', c: '3' } });
    expect(updated.metadata).toEqual({ b: '2', c: '3' });
    const confirmed = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_mastercard',
    });
    expect(confirmed.status).toBe('succeeded');
    expect((await catchStripeError(stripe.paymentIntents.cancel(intent.id))).code).toBe(
      'payment_intent_unexpected_state',
    );
    const other = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    expect((await stripe.paymentIntents.cancel(other.id)).status).toBe('canceled');
  });

  it('requires authentication on session, and redirects to its return URL', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_authenticationRequired',
      return_url: 'http://shop.test/back',
    });
    expect(intent.status).toBe('requires_action');
    const address = intent.next_action?.redirect_to_url?.url ?? '';
    const { html } = await browse(fixture.fakeStripe, address);
    const page = await browse(fixture.fakeStripe, address.replace(/\?.*/, ''), {
      secret: readField(html, 'secret'),
      answer: 'confirm',
    });
    expect(page.location).toBe(`http://shop.test/back?payment_intent=${intent.id}&redirect_status=succeeded`);
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
  });

  it.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
  ])('with %s is declined', async (id, code, declineCode) => {
    const request = stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      confirm: true,
      payment_method: id,
    });
    expect(await catchStripeError(request)).toMatchObject({
      statusCode: 402,
      code,
      decline_code: declineCode,
    });
  });
});
