import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import {
  browse,
  checkout,
  errorOf,
  fieldOf,
  pay,
  ROOT,
  sdkOf,
  startWorld,
  type World,
} from './testing/standin-world';

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

/** A customer whose card was saved by a paid checkout. */
async function customerWithCard(number: string): Promise<{ customer: string; card: string }> {
  const { id: customer } = await stripe.customers.create({ name: 'Pat' });
  const { url } = await checkout(stripe, {
    customer,
    payment_intent_data: { setup_future_usage: 'off_session' },
  });
  const answer = await pay(world, url, { number });
  if (answer.location?.startsWith(`${ROOT}/confirm/`)) {
    const { html } = await browse(world, answer.location);
    const secret = fieldOf(html, 'secret');
    await browse(world, answer.location.replace(/\?.*/, ''), { secret, answer: 'confirm' });
  }
  const { data } = await stripe.customers.listPaymentMethods(customer);
  return { customer, card: data[0]?.id ?? '' };
}

/** A charge while the owner is away, as an auto-reload makes it. */
function reload(
  means: { customer: string; card: string },
  options: Stripe.RequestOptions = {},
  changes: Partial<Stripe.PaymentIntentCreateParams> = {},
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create(
    {
      amount: 2110,
      currency: 'usd',
      customer: means.customer,
      payment_method: means.card,
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

describe('a charge of a saved card without its owner', () => {
  test('is paid', async () => {
    const means = await customerWithCard('4242424242424242');
    const intent = await reload(means, {}, { expand: ['latest_charge', 'payment_method'] });
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount_received: 2110,
      livemode: false,
      metadata: { order: 'order_2' },
      latest_charge: { status: 'succeeded', description: 'Auto-reload' },
      payment_method: { id: means.card, card: { last4: '4242' } },
    });
  });

  test.each([
    ['4000000000000341', 'card_declined', 'generic_decline'],
    ['4000000000003220', 'authentication_required', 'authentication_required'],
    ['4000002760003184', 'authentication_required', 'authentication_required'],
  ])('of %s is declined with %s', async (number, code, declineCode) => {
    const means = await customerWithCard(number);
    const error = await errorOf(reload(means));
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
    expect(await countCharges(means.customer)).toBe(0);
    const found = await stripe.paymentIntents.retrieve(error.payment_intent?.id ?? '', {
      expand: ['latest_charge'],
    });
    expect(found.latest_charge).toMatchObject({ status: 'failed', failure_code: code });
  });

  test('passes where the card was confirmed once while it was saved', async () => {
    expect((await reload(await customerWithCard('4000002500003155'))).status).toBe('succeeded');
  });

  test('of a card that is not the customer’s, or was removed, is refused', async () => {
    const mine = await customerWithCard('4242424242424242');
    const other = await customerWithCard('4242424242424242');
    expect((await errorOf(reload({ ...mine, card: other.card }))).statusCode).toBe(400);
    await stripe.paymentMethods.detach(mine.card);
    expect((await errorOf(reload(mine))).statusCode).toBe(400);
    expect(
      (await errorOf(stripe.paymentMethods.attach(mine.card, { customer: mine.customer }))).statusCode,
    ).toBe(400);
    expect(await countCharges(mine.customer)).toBe(0);
  });
});

describe('faults', () => {
  test('a cut answer has charged once, and is given when it is asked for again', async () => {
    const means = await customerWithCard('4000 0000 0000 7777');
    const options = { idempotencyKey: 'reload_cut' };
    expect(await errorOf(reload(means, options))).toMatchObject({ type: 'StripeConnectionError' });
    expect(await countCharges(means.customer)).toBe(1);
    const intent = await reload(means, options);
    expect(intent.status).toBe('succeeded');
    expect(world.answered.at(-1)?.get('idempotent-replayed')).toBe('true');
    expect(await countCharges(means.customer)).toBe(1);
    expect((await reload(means, { idempotencyKey: 'reload_next' })).status).toBe('succeeded');
  });

  test('the SDK gets over a cut answer by itself', async () => {
    const means = await customerWithCard('4000000000007777');
    stripe = sdkOf(world.standin, { maxNetworkRetries: 2 });
    expect((await reload(means)).status).toBe('succeeded');
    stripe = world.stripe;
    expect(await countCharges(means.customer)).toBe(1);
  });

  test('a slow card answers after two seconds', async () => {
    const means = await customerWithCard('4000000000008888');
    const { untilHeld, release } = world.slowCards.holdNext();
    const charge = reload(means);
    await untilHeld;
    expect(world.slowCards.waits).toEqual([2_000, 2_000]);
    expect(await countCharges(means.customer)).toBe(0);
    release();
    expect((await charge).status).toBe('succeeded');
  });
});

describe('Idempotency-Key', () => {
  test('gives the first answer again, also of a decline', async () => {
    const means = await customerWithCard('4242424242424242');
    const first = await reload(means, { idempotencyKey: 'key_1' });
    expect(world.answered.at(-1)?.has('idempotent-replayed')).toBe(false);
    expect(await reload(means, { idempotencyKey: 'key_1' })).toEqual(first);
    expect(world.answered.at(-1)?.get('idempotent-replayed')).toBe('true');

    const bad = await customerWithCard('4000000000000341');
    const one = await errorOf(reload(bad, { idempotencyKey: 'key_2' }));
    const two = await errorOf(reload(bad, { idempotencyKey: 'key_2' }));
    expect(two.payment_intent?.id).toBe(one.payment_intent?.id);
    expect(two.headers?.['idempotent-replayed']).toBe('true');
    expect(
      (await stripe.charges.list({ customer: bad.customer })).data.filter(({ paid }) => !paid),
    ).toHaveLength(1);
  });

  test('refuses another request under the same key', async () => {
    const means = await customerWithCard('4242424242424242');
    const idempotencyKey = 'key_3';
    await reload(means, { idempotencyKey });
    for (const request of [
      () => reload(means, { idempotencyKey }, { amount: 2111 }),
      () => stripe.customers.create({ name: 'other path' }, { idempotencyKey }),
    ])
      expect(await errorOf(request())).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  });

  test('answers 409 while the first request runs, in any process, and charges once', async () => {
    const means = await customerWithCard('4000000000008888');
    const idempotencyKey = 'key_4';
    const other = world.beside();
    const { untilHeld, release } = world.slowCards.holdNext();
    const first = reload(means, { idempotencyKey });
    await untilHeld;
    stripe = other.stripe;
    const second = await errorOf(reload(means, { idempotencyKey }));
    expect(second).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    stripe = world.stripe;
    release();
    expect((await first).status).toBe('succeeded');
    expect((await reload(means, { idempotencyKey })).id).toBe((await first).id);
    expect(await countCharges(means.customer)).toBe(1);
  });

  test('makes one charge of fifty equal requests to two processes', async () => {
    const means = await customerWithCard('4242424242424242');
    const sdks = [world, world.beside()].map(({ standin }) => sdkOf(standin, { maxNetworkRetries: 5 }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        (sdks[at % 2] ?? stripe).paymentIntents.create(
          {
            amount: 2110,
            currency: 'usd',
            customer: means.customer,
            payment_method: means.card,
            confirm: true,
            off_session: true,
          },
          { idempotencyKey: 'key_5' },
        ),
      ),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await countCharges(means.customer)).toBe(1);
  });

  test('is free some seconds after its process died; one that lives on then changes nothing', async () => {
    const means = await customerWithCard('4000000000008888');
    const idempotencyKey = 'key_7';
    const { untilHeld, release } = world.slowCards.holdNext();
    const first = errorOf(reload(means, { idempotencyKey }));
    await untilHeld;
    await world.sql`
      update stripe_standin.requests set started_at = started_at - interval '11 seconds' where key = ${idempotencyKey}`;
    expect((await reload(means, { idempotencyKey })).status).toBe('succeeded');
    release();
    expect(await first).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    expect(await countCharges(means.customer)).toBe(1);
  });

  test('is free again after a request that could not be right', async () => {
    const idempotencyKey = 'key_6';
    const nobody = { customer: 'cus_nobody', card: 'pm_card_visa' };
    expect((await errorOf(reload(nobody, { idempotencyKey }))).statusCode).toBe(400);
    const { id } = await stripe.customers.create({}, { idempotencyKey });
    expect(id).toMatch(/^cus_/);
  });
});

describe('a payment intent', () => {
  test('is made, confirmed on its own, and cancelled', async () => {
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
    expect((await errorOf(stripe.paymentIntents.cancel(intent.id))).code).toBe(
      'payment_intent_unexpected_state',
    );
    const other = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    expect((await stripe.paymentIntents.cancel(other.id)).status).toBe('canceled');
  });

  test('waits for the bank on session, and leads back', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_authenticationRequired',
      return_url: 'http://shop.test/back',
    });
    expect(intent.status).toBe('requires_action');
    const address = intent.next_action?.redirect_to_url?.url ?? '';
    const { html } = await browse(world, address);
    const answer = await browse(world, address.replace(/\?.*/, ''), {
      secret: fieldOf(html, 'secret'),
      answer: 'confirm',
    });
    expect(answer.location).toBe(
      `http://shop.test/back?payment_intent=${intent.id}&redirect_status=succeeded`,
    );
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
  });

  test.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
  ])('by %s is declined', async (id, code, declineCode) => {
    const request = stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      confirm: true,
      payment_method: id,
    });
    expect(await errorOf(request)).toMatchObject({ statusCode: 402, code, decline_code: declineCode });
  });
});
