import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { browse, pay, payConcurrently, readField } from '../testing/client';
import {
  BASE,
  catchStripeError,
  createCheckout,
  type Fixture,
  ROOT,
  startFixture,
  waitUntil,
} from '../testing/fixture';

let database: TestDatabase;
let fixture: Fixture;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = startFixture(database);
});
afterAll(async () => {
  await fixture.close();
  await database.drop();
});

const CANCEL = `${BASE}/dashboard/billing`;
const buildSuccessUrl = (id: string) => `${BASE}/dashboard/billing?session=${id}`;

describe('a checkout session', () => {
  it('is open and unpaid until it is paid on its page, then complete', async () => {
    const { stripe } = fixture;
    const session = await createCheckout(stripe);
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

    const paid = await pay(fixture.fakeStripe, session.url);
    expect(paid).toMatchObject({ status: 303, location: buildSuccessUrl(session.id) });

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
    const revisited = await browse(fixture.fakeStripe, session.url ?? '');
    expect(revisited.html).toContain('Already paid');
    expect(revisited.html).toContain(buildSuccessUrl(session.id).replaceAll('&', '&amp;'));
  });

  it('is charged once if its form is submitted several times', async () => {
    const { stripe } = fixture;
    const customer = await stripe.customers.create({ name: 'Twice' });
    const { url, id } = await createCheckout(stripe, { customer: customer.id });
    const pages = await payConcurrently(fixture.fakeStripe, url, 3);
    expect(pages.map(({ status }) => status)).toContain(303);
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid');
    expect((await stripe.charges.list({ customer: customer.id })).data).toHaveLength(1);
  });

  it('stays open after a decline, and accepts another card', async () => {
    const { stripe } = fixture;
    const { url, id } = await createCheckout(stripe);
    const declined = await pay(fixture.fakeStripe, url, { number: '4000000000000002' });
    expect(declined.location).toBe(`${url}?card=4000000000000002`);
    expect((await browse(fixture.fakeStripe, url ?? '')).html).toContain('Your card was declined.');
    await pay(fixture.fakeStripe, url, { number: '4000 0000 0000 9995' });
    expect((await browse(fixture.fakeStripe, url ?? '')).html).toContain('Your card has insufficient funds.');

    const between = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
    expect(between).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
      },
    });
    expect((await pay(fixture.fakeStripe, url)).location).toBe(buildSuccessUrl(id));
    const intent = (await stripe.checkout.sessions.retrieve(id)).payment_intent;
    const charges = await stripe.charges.list({ payment_intent: String(intent) });
    expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'failed']);
  });

  it('rejects invalid cards without an attempt to pay', async () => {
    const { url, id } = await createCheckout(fixture.stripe);
    for (const fields of [
      { number: '4111 1111 1111 1111' },
      { expiry: '13/34' },
      { expiry: '01/20' },
      { cvc: 'x' },
    ] as Record<string, string>[]) {
      const refused = await pay(fixture.fakeStripe, url, fields);
      expect(refused.status).toBe(400);
      expect(refused.html).toContain('role="alert"');
    }
    expect((await fixture.stripe.checkout.sessions.retrieve(id)).payment_intent).toBeNull();
  });

  it('requires authentication: confirmed it is paid, refused it stays open', async () => {
    const { stripe } = fixture;
    const { url, id } = await createCheckout(stripe);
    const redirected = await pay(fixture.fakeStripe, url, { number: '4000 0000 0000 3220' });
    expect(redirected.location).toContain(`${ROOT}/confirm/pi_`);
    const page = await browse(fixture.fakeStripe, redirected.location ?? '');
    expect(page.html).toContain('Test bank: confirm this payment');
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('unpaid');

    const address = (redirected.location ?? '').replace(/\?.*/, '');
    const secret = readField(page.html, 'secret');
    expect((await browse(fixture.fakeStripe, address, { secret: 'guess', answer: 'confirm' })).status).toBe(
      404,
    );
    const refused = await browse(fixture.fakeStripe, address, { secret, answer: 'refuse' });
    expect(refused.location).toBe(url);
    expect((await browse(fixture.fakeStripe, url ?? '')).html).toContain('unable to authenticate');

    const retried = await pay(fixture.fakeStripe, url, { number: '4000002500003155' });
    const next = await browse(fixture.fakeStripe, retried.location ?? '');
    const confirmed = await browse(fixture.fakeStripe, (retried.location ?? '').replace(/\?.*/, ''), {
      secret: readField(next.html, 'secret'),
      answer: 'confirm',
    });
    expect(confirmed.location).toBe(buildSuccessUrl(id));
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid');
  });

  it('saves the card only if the session requests it', async () => {
    const { stripe } = fixture;
    const customer = await stripe.customers.create({ email: 'pat@example.test' });
    const { url } = await createCheckout(stripe, {
      customer: customer.id,
      payment_intent_data: { setup_future_usage: 'off_session' },
    });
    const page = await browse(fixture.fakeStripe, url ?? '');
    expect(page.html).toContain('This card will be saved for future payments.');
    expect(page.html).toContain('value="pat@example.test"');
    await pay(fixture.fakeStripe, url);
    const saved = await stripe.customers.listPaymentMethods(customer.id, { type: 'card' });
    expect(saved.data.map(({ card }) => card?.last4)).toEqual(['4242']);

    const { url: plain } = await createCheckout(stripe, { customer: customer.id });
    expect((await browse(fixture.fakeStripe, plain ?? '')).html).not.toContain('saved for future payments');
    await pay(fixture.fakeStripe, plain);
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(1);
  });

  it('links to its cancel URL, and can be expired', async () => {
    const { stripe } = fixture;
    const { url, id } = await createCheckout(stripe);
    expect((await browse(fixture.fakeStripe, url ?? '')).html).toContain(`href="${CANCEL}">Cancel</a>`);
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    const { html } = await browse(fixture.fakeStripe, url ?? '');
    expect(html).toContain('Checkout expired');
    expect(html).toContain(CANCEL);
    expect((await catchStripeError(stripe.checkout.sessions.expire(id))).statusCode).toBe(400);
  });

  it('rejects a form without its nonce', async () => {
    const { url, id } = await createCheckout(fixture.stripe);
    expect((await pay(fixture.fakeStripe, url, { nonce: 'guess' })).status).toBe(403);
    expect((await fixture.stripe.checkout.sessions.retrieve(id)).payment_intent).toBeNull();
  });

  it('rejects what Stripe rejects', async () => {
    const { stripe } = fixture;
    const soon = Math.floor(Date.now() / 1000) + 60;
    const cases = [
      [() => createCheckout(stripe, { expires_at: soon }), 'expires_at'],
      [() => createCheckout(stripe, { customer: 'cus_missing' }), 'customer'],
      [() => createCheckout(stripe, { line_items: [] }), 'line_items'],
      [() => createCheckout(stripe, { success_url: 'javascript:alert(1)' }), 'success_url'],
      [
        () =>
          createCheckout(stripe, {
            line_items: [
              { quantity: 1, price_data: { currency: 'usd', unit_amount: 49, product_data: { name: 'x' } } },
            ],
          }),
        'line_items',
      ],
    ] as const;
    for (const [request, param] of cases) {
      const error = await catchStripeError(request());
      expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, param });
    }
    expect(await catchStripeError(stripe.checkout.sessions.retrieve('cs_test_missing'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
  });
});

describe('a bank transfer', () => {
  it.each([
    ['bank', 'succeeded', 'paid', 'checkout.session.async_payment_succeeded'],
    ['bank_fails', 'requires_payment_method', 'unpaid', 'checkout.session.async_payment_failed'],
  ])('with %s is processing, then %s', async (means, status, paymentStatus, type) => {
    const { stripe, fakeStripe } = fixture;
    const { url, id } = await createCheckout(stripe);
    expect((await pay(fixture.fakeStripe, url, { means, number: '' })).location).toBe(buildSuccessUrl(id));
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: { status: 'processing' },
    });
    expect((await browse(fixture.fakeStripe, url ?? '')).html).toContain('Payment processing');
    // The debit is due now, not after some seconds.
    await fixture.sql`
      update fake_stripe.objects set hidden = jsonb_set(hidden, '{settles,at}', '0')
      where kind = 'payment_intent' and hidden ? 'settles'`;
    fakeStripe.start();
    const event = await waitUntil(async () => (await stripe.events.list({ type })).data[0]);
    expect(event.data.object).toMatchObject({ id, payment_status: paymentStatus });
    const intent = typeof session.payment_intent === 'object' ? (session.payment_intent?.id ?? '') : '';
    expect((await stripe.paymentIntents.retrieve(intent)).status).toBe(status);
    expect((await stripe.charges.list({ payment_intent: intent })).data).toHaveLength(1);
  });
});
