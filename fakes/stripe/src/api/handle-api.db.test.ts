import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createSdk } from '../testing/client';
import { BASE, catchStripeError, type Fixture, startFixture } from '../testing/fixture';

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

it('rejects other API keys', async () => {
  const { fakeStripe } = fixture;
  const wrong = createSdk({ ...fakeStripe, secretKey: 'sk_test_other' });
  expect(await catchStripeError(wrong.customers.create({}))).toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
  });
  expect(await catchStripeError(wrong.customers.list({}))).toMatchObject({ statusCode: 401 });
  expect((await fakeStripe.serve(new Request(`${BASE}/v1/customers`))).status).toBe(401);
  expect(fakeStripe.secretKey).toMatch(/^sk_test_fake\w{20,}$/);
  expect(fakeStripe.webhookSecret).toMatch(/^whsec_\w{20,}$/);
});

it('creates, updates, lists and deletes customers', async () => {
  const { stripe } = fixture;
  const created = await stripe.customers.create({
    email: 'a@example.test',
    name: 'A',
    metadata: { account: 'acct_1' },
  });
  expect(created).toMatchObject({ object: 'customer', livemode: false, metadata: { account: 'acct_1' } });
  const updated = await stripe.customers.update(created.id, { name: 'B', metadata: { more: 'x' } });
  expect(updated).toMatchObject({
    name: 'B',
    email: 'a@example.test',
    metadata: { account: 'acct_1', more: 'x' },
  });
  expect((await stripe.customers.list({ limit: 1 })).data.map(({ id }) => id)).toEqual([created.id]);
  expect(await stripe.customers.del(created.id)).toMatchObject({ deleted: true });
  expect(await stripe.customers.retrieve(created.id)).toMatchObject({ deleted: true });
  expect((await catchStripeError(stripe.customers.update(created.id, { name: 'C' }))).code).toBe(
    'resource_missing',
  );
});

it('pages through lists', async () => {
  const { stripe } = fixture;
  const { id: customer } = await stripe.customers.create({});
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) {
    const { id } = await stripe.paymentIntents.create({ amount: 100 + at, currency: 'usd', customer });
    ids.unshift(id);
  }
  const first = await stripe.paymentIntents.list({ customer, limit: 2 });
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' });
  const seen: string[] = [];
  for await (const { id } of stripe.paymentIntents.list({ customer, limit: 2 })) seen.push(id);
  expect(seen).toEqual(ids);
  expect(await catchStripeError(stripe.paymentIntents.list({ starting_after: 'pi_nothing' }))).toMatchObject({
    statusCode: 400,
    param: 'starting_after',
  });
  expect((await catchStripeError(stripe.paymentIntents.list({ limit: 101 }))).statusCode).toBe(400);
});

it('expands fields in objects and lists', async () => {
  const { stripe } = fixture;
  const { id: customer } = await stripe.customers.create({ name: 'Expanded' });
  await stripe.paymentIntents.create({
    amount: 500,
    currency: 'usd',
    customer,
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  const list = await stripe.paymentIntents.list({
    customer,
    expand: ['data.latest_charge', 'data.payment_method', 'data.customer'],
  });
  expect(list.data[0]).toMatchObject({
    latest_charge: { object: 'charge' },
    payment_method: { card: { last4: '4242' } },
    customer: { name: 'Expanded' },
  });
  const charges = await stripe.charges.list({
    customer,
    expand: ['data.payment_intent.latest_charge', 'data.refunds'],
  });
  expect(charges.data[0]).toMatchObject({
    payment_intent: { latest_charge: { object: 'charge' } },
    refunds: { object: 'list', data: [] },
  });
  expect((await catchStripeError(stripe.paymentIntents.list({ expand: ['data.amount'] }))).param).toBe(
    'expand',
  );
});

it('returns the errors of Stripe', async () => {
  const { stripe, fakeStripe } = fixture;
  const cases = [
    [
      () => stripe.rawRequest('POST', '/v1/payment_intents', { currency: 'usd' }),
      'parameter_missing',
      'amount',
    ],
    [
      () => stripe.rawRequest('POST', '/v1/payment_intents', { amount: '5.5', currency: 'usd' }),
      'parameter_invalid_integer',
      'amount',
    ],
    [() => stripe.paymentIntents.create({ amount: 49, currency: 'usd' }), 'amount_too_small', 'amount'],
    [() => stripe.paymentIntents.create({ amount: 1e8, currency: 'usd' }), 'amount_too_large', 'amount'],
    [() => stripe.paymentIntents.retrieve('pi_nothing'), 'resource_missing', 'intent'],
  ] as const;
  for (const [request, code, param] of cases)
    expect(await catchStripeError(request())).toMatchObject({
      type: 'StripeInvalidRequestError',
      code,
      param,
    });
  expect((await catchStripeError(stripe.rawRequest('GET', '/v1/invoices'))).statusCode).toBe(404);
  expect((await catchStripeError(stripe.customers.create({ name: 'nul \0 byte' }))).statusCode).toBe(400);

  const response = await fakeStripe.fetch(
    new Request(`${BASE}/v1/customers/cus_x`, {
      headers: { Authorization: `Bearer ${fakeStripe.secretKey}` },
    }),
  );
  expect(response.status).toBe(404);
  expect(response.headers.get('request-id')).toMatch(/^req_/);
  expect(response.headers.get('stripe-version')).toBe('2026-10-28.endive');
  expect(fixture.log).toEqual([]);
});
