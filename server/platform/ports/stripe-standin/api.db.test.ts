import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { BASE, errorOf, sdkOf, startWorld, type World } from './testing/standin-world';

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

test('only its own key opens it', async () => {
  const { standin } = world;
  const wrong = sdkOf({ ...standin, secretKey: 'sk_test_other' });
  expect(await errorOf(wrong.customers.create({}))).toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
  });
  expect(await errorOf(wrong.customers.list({}))).toMatchObject({ statusCode: 401 });
  expect((await standin.serve(new Request(`${BASE}/v1/customers`))).status).toBe(401);
  expect(standin.secretKey).toMatch(/^sk_test_standin\w{20,}$/);
  expect(standin.webhookSecret).toMatch(/^whsec_\w{20,}$/);
});

test('customers are made, changed, listed and deleted', async () => {
  const { stripe } = world;
  const made = await stripe.customers.create({
    email: 'a@example.test',
    name: 'A',
    metadata: { account: 'acct_1' },
  });
  expect(made).toMatchObject({ object: 'customer', livemode: false, metadata: { account: 'acct_1' } });
  const changed = await stripe.customers.update(made.id, { name: 'B', metadata: { more: 'x' } });
  expect(changed).toMatchObject({
    name: 'B',
    email: 'a@example.test',
    metadata: { account: 'acct_1', more: 'x' },
  });
  expect((await stripe.customers.list({ limit: 1 })).data.map(({ id }) => id)).toEqual([made.id]);
  expect(await stripe.customers.del(made.id)).toMatchObject({ deleted: true });
  expect(await stripe.customers.retrieve(made.id)).toMatchObject({ deleted: true });
  expect((await errorOf(stripe.customers.update(made.id, { name: 'C' }))).code).toBe('resource_missing');
});

test('a list goes on where it has ended, and forwards', async () => {
  const { stripe } = world;
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
  expect(await errorOf(stripe.paymentIntents.list({ starting_after: 'pi_nothing' }))).toMatchObject({
    statusCode: 400,
    param: 'starting_after',
  });
  expect((await errorOf(stripe.paymentIntents.list({ limit: 101 }))).statusCode).toBe(400);
});

test('fields are expanded in objects and lists', async () => {
  const { stripe } = world;
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
  expect((await errorOf(stripe.paymentIntents.list({ expand: ['data.amount'] }))).param).toBe('expand');
});

test('refuses in Stripe’s words', async () => {
  const { stripe, standin } = world;
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
    expect(await errorOf(request())).toMatchObject({ type: 'StripeInvalidRequestError', code, param });
  expect((await errorOf(stripe.rawRequest('GET', '/v1/invoices'))).statusCode).toBe(404);
  expect((await errorOf(stripe.customers.create({ name: 'nul \0 byte' }))).statusCode).toBe(400);

  const response = await standin.fetch(
    new Request(`${BASE}/v1/customers/cus_x`, { headers: { Authorization: `Bearer ${standin.secretKey}` } }),
  );
  expect(response.status).toBe(404);
  expect(response.headers.get('request-id')).toMatch(/^req_/);
  expect(response.headers.get('stripe-version')).toBe('2026-10-28.endive');
  expect(world.log).toEqual([]);
});
