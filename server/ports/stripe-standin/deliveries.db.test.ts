import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../log';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { withoutIntervals } from '../../testing/without-intervals';
import { createStripeStandin } from './stripe-standin';
import { checkout, pay, ROOT, startWorld, until, type World } from './testing/standin-world';

let database: TestDatabase;
let world: World;
beforeEach(async () => {
  database = await createTestDatabase();
  world = startWorld(database);
});
afterEach(async () => {
  await world.close();
  await database.drop();
});

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type).sort();

test('the events of a purchase are those of Stripe, signed so that the SDK takes them', async () => {
  const { stripe, standin, received } = world;
  // Nothing looks for what waits: each is sent when it is made, and once.
  await withoutIntervals(async () => standin.start());
  const customer = await stripe.customers.create({ name: 'Pat' });
  const { url } = await checkout(stripe, {
    customer: customer.id,
    payment_intent_data: { setup_future_usage: 'off_session' },
  });
  await pay(world, url);
  await until(() => received.length >= 6);
  expect(typesOf(received.map(({ event }) => event))).toEqual([
    'charge.succeeded',
    'checkout.session.completed',
    'customer.created',
    'payment_intent.created',
    'payment_intent.succeeded',
    'payment_method.attached',
  ]);
  for (const { body, headers } of received) {
    const signature = headers['Stripe-Signature'] ?? '';
    const event = stripe.webhooks.constructEvent(body, signature, standin.webhookSecret);
    expect(event).toMatchObject({ object: 'event', livemode: false, api_version: Stripe.API_VERSION });
    for (const [changed, secret] of [
      [body.replace('"event"', '"evenT"'), standin.webhookSecret],
      [body, 'whsec_other'],
    ] as const)
      expect(() => stripe.webhooks.constructEvent(changed, signature, secret)).toThrow(/signature/);
  }
  const completed = received.find(({ event }) => event.type === 'checkout.session.completed');
  expect(completed?.event.data.object).toMatchObject({
    payment_status: 'paid',
    client_reference_id: 'order_1',
  });
});

test('an event is sent again until it is taken', async () => {
  const { stripe, standin, received, answers, sql } = world;
  answers.push(500, 400);
  standin.start();
  await stripe.customers.create({});
  await until(() => received.length === 2);
  const waits = await sql<{ wait: number }[]>`
    select extract(epoch from due_at - clock_timestamp())::float8 as wait from stripe_standin.deliveries`;
  expect(waits[0]?.wait).toBeGreaterThan(3);
  await sql`update stripe_standin.deliveries set due_at = clock_timestamp()`;
  await until(() => received.length === 3);
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  await until(async () => (await stripe.events.list({})).data[0]?.pending_webhooks === 0);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(received).toHaveLength(3);
});

test('two processes on one database send each event once', async () => {
  const other = world.beside();
  const { stripe } = world;
  await Promise.all(Array.from({ length: 20 }, (_, at) => stripe.customers.create({ name: `${at}` })));
  expect(world.received).toHaveLength(0);
  world.standin.start();
  other.standin.start();
  await until(() => world.received.length + other.received.length >= 20);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  const sent = [...world.received, ...other.received].map(({ event }) => event.id);
  expect(sent).toHaveLength(20);
  expect(new Set(sent).size).toBe(20);
  // Both sign with the same secret: either may verify what the other sent.
  for (const { body, headers } of other.received)
    stripe.webhooks.constructEvent(body, headers['Stripe-Signature'] ?? '', world.standin.webhookSecret);
});

test('nothing is sent after close', async () => {
  const { stripe, standin, received } = world;
  standin.start();
  await stripe.customers.create({});
  await until(() => received.length === 1);
  await standin.close();
  await stripe.customers.create({});
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(received).toHaveLength(1);
});

test('a webhook that hangs does not hold up the end', async () => {
  const { sql, stripe } = world;
  let asked = 0;
  const hanging = createStripeStandin({
    sql,
    publicUrl: ROOT,
    log: createLogger(() => undefined),
    deliver: () => {
      asked += 1;
      return new Promise(() => {});
    },
  });
  hanging.start();
  await stripe.customers.create({});
  await until(() => asked === 1);
  const begun = performance.now();
  await hanging.close();
  // An answer is waited for 20 s.
  expect(performance.now() - begun).toBeLessThan(10_000);
  const [row] = await sql`select done_at, attempts from stripe_standin.deliveries`;
  expect(row).toEqual({ done_at: null, attempts: 1 });
});

test('events are listed newest first, by type and since a time, page by page', async () => {
  const { stripe } = world;
  const names = ['a', 'b', 'c'];
  for (const name of names) {
    const { id } = await stripe.customers.create({ name });
    await stripe.customers.update(id, { name: `${name}2` });
  }
  const created = await stripe.events.list({ type: 'customer.created' });
  expect(created.data.map(({ data: { object } }) => ('name' in object ? object.name : ''))).toEqual([
    'c',
    'b',
    'a',
  ]);
  const both = await stripe.events.list({ types: ['customer.created', 'customer.updated'] });
  expect(both.data).toHaveLength(6);

  const paged: string[] = [];
  for await (const { id } of stripe.events.list({ limit: 2 })) paged.push(id);
  expect(paged).toEqual(both.data.map(({ id }) => id));
  const [first] = paged;
  const before = await stripe.events.list({ ending_before: paged[2] });
  expect(before.data.map(({ id }) => id)).toEqual(paged.slice(0, 2));

  const at = both.data[0]?.created ?? 0;
  expect((await stripe.events.list({ created: { gte: at + 1 } })).data).toEqual([]);
  expect((await stripe.events.list({ created: { gte: at - 60, lt: at + 1 } })).data).toHaveLength(6);
  expect(await stripe.events.retrieve(first ?? '')).toMatchObject({ id: first, type: 'customer.updated' });
  expect(both.data[0]?.data.previous_attributes).toEqual({ name: 'c' });
});

test('everything is still there after a restart', async () => {
  const { stripe } = world;
  const customer = await stripe.customers.create({ email: 'pat@example.test' });
  const session = await checkout(stripe, { customer: customer.id });
  const idempotencyKey = 'kept';
  const made = await stripe.customers.create({ name: 'once' }, { idempotencyKey });

  const after = world.beside();
  expect(after.standin.secretKey).toBe(world.standin.secretKey);
  expect(await after.stripe.customers.retrieve(customer.id)).toEqual(customer);
  expect((await pay(after, session.url)).status).toBe(303);
  expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
  expect(await after.stripe.customers.create({ name: 'once' }, { idempotencyKey })).toEqual(made);
  after.standin.start();
  await until(() => after.received.some(({ event }) => event.type === 'checkout.session.completed'));
});
