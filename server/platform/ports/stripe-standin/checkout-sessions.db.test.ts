import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import {
  BASE,
  browse,
  checkout,
  errorOf,
  fieldOf,
  pay,
  payAtOnce,
  ROOT,
  startWorld,
  until,
  type World,
} from './testing/standin-world';

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await createTestDatabase();
  world = startWorld(database);
});
afterAll(async () => {
  await world.close();
  await database.drop();
});

const CANCEL = `${BASE}/dashboard/billing`;
const successOf = (id: string) => `${BASE}/dashboard/billing?session=${id}`;

describe('a checkout session', () => {
  test('is open and unpaid until its page is paid, then complete', async () => {
    const { stripe } = world;
    const session = await checkout(stripe);
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: 1080,
      currency: 'usd',
      livemode: false,
      client_reference_id: 'order_1',
      metadata: { order: 'order_1' },
    });
    expect(session.id).toMatch(/^cs_test_\w{58}$/);
    expect(session.url).toBe(`${ROOT}/checkout/${session.id}`);

    const paid = await pay(world, session.url);
    expect(paid).toMatchObject({ status: 303, location: successOf(session.id) });

    const after = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge', 'line_items'],
    });
    expect(after).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    expect(after.payment_intent).toMatchObject({
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: 1080,
      metadata: { order: 'order_1' },
      latest_charge: {
        object: 'charge',
        amount: 1080,
        paid: true,
        payment_method_details: { card: { brand: 'visa', last4: '4242' } },
      },
    });
    expect(after.line_items?.data.map(({ amount_total }) => amount_total)).toEqual([1000, 80]);
    const again = await browse(world, session.url ?? '');
    expect(again.html).toContain('This is paid');
    expect(again.html).toContain(successOf(session.id).replaceAll('&', '&amp;'));
  });

  test('is paid once, however often its form is sent', async () => {
    const { stripe } = world;
    const customer = await stripe.customers.create({ name: 'Twice' });
    const { url, id } = await checkout(stripe, { customer: customer.id });
    const answers = await payAtOnce(world, url, 3);
    expect(answers.map(({ status }) => status)).toContain(303);
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid');
    expect((await stripe.charges.list({ customer: customer.id })).data).toHaveLength(1);
  });

  test('stays open when the card is declined, and takes another card', async () => {
    const { stripe } = world;
    const { url, id } = await checkout(stripe);
    const declined = await pay(world, url, { number: '4000000000000002' });
    expect(declined.location).toBe(`${url}?card=4000000000000002`);
    expect((await browse(world, url ?? '')).html).toContain('Your card was declined.');
    await pay(world, url, { number: '4000 0000 0000 9995' });
    expect((await browse(world, url ?? '')).html).toContain('Your card has insufficient funds.');

    const between = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
    expect(between).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
      },
    });
    expect((await pay(world, url)).location).toBe(successOf(id));
    const intent = (await stripe.checkout.sessions.retrieve(id)).payment_intent;
    const charges = await stripe.charges.list({ payment_intent: String(intent) });
    expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'failed']);
  });

  test('refuses what is no test card, without an attempt', async () => {
    const { url, id } = await checkout(world.stripe);
    for (const fields of [
      { number: '4111 1111 1111 1111' },
      { expiry: '13/34' },
      { expiry: '01/20' },
      { cvc: 'x' },
    ] as Record<string, string>[]) {
      const refused = await pay(world, url, fields);
      expect(refused.status).toBe(400);
      expect(refused.html).toContain('role="alert"');
    }
    expect((await world.stripe.checkout.sessions.retrieve(id)).payment_intent).toBeNull();
  });

  test('asks the bank: confirmed it is paid, refused it stays open', async () => {
    const { stripe } = world;
    const { url, id } = await checkout(stripe);
    const asked = await pay(world, url, { number: '4000 0000 0000 3220' });
    expect(asked.location).toContain(`${ROOT}/confirm/pi_`);
    const page = await browse(world, asked.location ?? '');
    expect(page.html).toContain('Pretend bank: confirm this payment');
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('unpaid');

    const address = (asked.location ?? '').replace(/\?.*/, '');
    const secret = fieldOf(page.html, 'secret');
    expect((await browse(world, address, { secret: 'guess', answer: 'confirm' })).status).toBe(404);
    const refused = await browse(world, address, { secret, answer: 'refuse' });
    expect(refused.location).toBe(url);
    expect((await browse(world, url ?? '')).html).toContain('unable to authenticate');

    const again = await pay(world, url, { number: '4000002500003155' });
    const next = await browse(world, again.location ?? '');
    const confirmed = await browse(world, (again.location ?? '').replace(/\?.*/, ''), {
      secret: fieldOf(next.html, 'secret'),
      answer: 'confirm',
    });
    expect(confirmed.location).toBe(successOf(id));
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid');
  });

  test('keeps the card for later where it is asked to', async () => {
    const { stripe } = world;
    const customer = await stripe.customers.create({ email: 'pat@example.test' });
    const { url } = await checkout(stripe, {
      customer: customer.id,
      payment_intent_data: { setup_future_usage: 'off_session' },
    });
    const page = await browse(world, url ?? '');
    expect(page.html).toContain('This card is saved for auto-reload.');
    expect(page.html).toContain('value="pat@example.test"');
    await pay(world, url);
    const saved = await stripe.customers.listPaymentMethods(customer.id, { type: 'card' });
    expect(saved.data.map(({ card }) => card?.last4)).toEqual(['4242']);

    const { url: plain } = await checkout(stripe, { customer: customer.id });
    expect((await browse(world, plain ?? '')).html).not.toContain('saved for auto-reload');
    await pay(world, plain);
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(1);
  });

  test('leads back where it is cancelled, and ends when it is told to', async () => {
    const { stripe } = world;
    const { url, id } = await checkout(stripe);
    expect((await browse(world, url ?? '')).html).toContain(`href="${CANCEL}">Cancel</a>`);
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    const { html } = await browse(world, url ?? '');
    expect(html).toContain('This checkout has expired');
    expect(html).toContain(CANCEL);
    expect((await errorOf(stripe.checkout.sessions.expire(id))).statusCode).toBe(400);
  });

  test('takes no form that is not its own', async () => {
    const { url, id } = await checkout(world.stripe);
    expect((await pay(world, url, { nonce: 'guess' })).status).toBe(403);
    expect((await world.stripe.checkout.sessions.retrieve(id)).payment_intent).toBeNull();
  });

  test('refuses what Stripe refuses', async () => {
    const { stripe } = world;
    const soon = Math.floor(Date.now() / 1000) + 60;
    const cases = [
      [() => checkout(stripe, { expires_at: soon }), 'expires_at'],
      [() => checkout(stripe, { customer: 'cus_nobody' }), 'customer'],
      [() => checkout(stripe, { line_items: [] }), 'line_items'],
      [() => checkout(stripe, { success_url: 'javascript:alert(1)' }), 'success_url'],
      [
        () =>
          checkout(stripe, {
            line_items: [
              { quantity: 1, price_data: { currency: 'usd', unit_amount: 49, product_data: { name: 'x' } } },
            ],
          }),
        'line_items',
      ],
    ] as const;
    for (const [request, param] of cases) {
      const error = await errorOf(request());
      expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, param });
    }
    expect(await errorOf(stripe.checkout.sessions.retrieve('cs_test_nothing'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
  });
});

describe('a bank transfer', () => {
  test.each([
    ['bank', 'succeeded', 'paid', 'checkout.session.async_payment_succeeded'],
    ['bank_fails', 'requires_payment_method', 'unpaid', 'checkout.session.async_payment_failed'],
  ])('by %s is on its way, then %s', async (means, status, paymentStatus, type) => {
    const { stripe, standin } = world;
    const { url, id } = await checkout(stripe);
    expect((await pay(world, url, { means, number: '' })).location).toBe(successOf(id));
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: { status: 'processing' },
    });
    expect((await browse(world, url ?? '')).html).toContain('This payment is on its way');
    // The bank takes some seconds: they are over.
    await world.sql`
      update stripe_standin.objects set hidden = jsonb_set(hidden, '{settles,at}', '0')
      where kind = 'payment_intent' and hidden ? 'settles'`;
    standin.start();
    const event = await until(async () => (await stripe.events.list({ type })).data[0]);
    expect(event.data.object).toMatchObject({ id, payment_status: paymentStatus });
    const intent = typeof session.payment_intent === 'object' ? session.payment_intent?.id : undefined;
    expect((await stripe.paymentIntents.retrieve(intent ?? '')).status).toBe(status);
    expect((await stripe.charges.list({ payment_intent: intent })).data).toHaveLength(1);
  });
});
