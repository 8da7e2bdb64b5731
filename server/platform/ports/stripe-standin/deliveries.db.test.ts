import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../../kit/log';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { withoutIntervals } from '../../../testing/without-intervals';
import { createStripeStandin } from './stripe-standin';
import { checkout, pay, ROOT, startWorld, until, type World } from './testing/standin-world';

let database: TestDatabase;
let world: World;
beforeEach(async () => {
  database = await createTestDatabase();
  world = startWorld(database);
});
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
  await database.drop();
});

/** From now on the stand-in polls only when the test lets some seconds pass. */
function controlPolling(): (seconds: number) => void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return (seconds) => void vi.advanceTimersByTime(seconds * 1_000);
}

/** Seconds since the epoch, by the database's clock. */
async function readClock(): Promise<number> {
  const [row] = await world.sql<{ now: number }[]>`
    select extract(epoch from clock_timestamp())::float8 as now`;
  return row?.now ?? 0;
}

/** When the event is due again, after so many attempts of which the last had this answer. */
async function waitForRetry(attempts: number, answer: string): Promise<number> {
  const due = async () => {
    const [row] = await world.sql<{ due: number }[]>`
      select extract(epoch from due_at)::float8 as due from stripe_standin.deliveries
      where attempts = ${attempts} and last_answer = ${answer}`;
    return row?.due;
  };
  return await until(due);
}

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
  const letPass = controlPolling();
  answers.push(500, 400);
  standin.start();
  const begun = await readClock();
  await stripe.customers.create({});
  expect((await waitForRetry(1, '500')) - begun).toBeGreaterThanOrEqual(1);
  const again = await readClock();
  await sql`update stripe_standin.deliveries set due_at = clock_timestamp()`;
  letPass(1);
  const due = await waitForRetry(2, '400');
  expect(due - again).toBeGreaterThanOrEqual(5);
  expect(due - (await readClock())).toBeLessThanOrEqual(5);
  await sql`update stripe_standin.deliveries set due_at = clock_timestamp()`;
  letPass(1);
  await until(() => received.length === 3);
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  await until(async () => (await stripe.events.list({})).data[0]?.pending_webhooks === 0);
  letPass(60);
  // Sent after whatever is due before it.
  await stripe.customers.create({});
  await until(() => received.length > 3);
  expect(new Set(received.slice(0, 3).map(({ event }) => event.id)).size).toBe(1);
  expect(received[3]?.event.id).not.toBe(received[0]?.event.id);
});

test('two processes on one database send each event once', async () => {
  const other = world.beside();
  const { stripe } = world;
  const letPass = controlPolling();
  await Promise.all(Array.from({ length: 20 }, (_, at) => stripe.customers.create({ name: `${at}` })));
  expect(world.received).toHaveLength(0);
  world.standin.start();
  other.standin.start();
  await until(() => world.received.length + other.received.length >= 20);
  letPass(3);
  // Ends after what is being sent.
  await Promise.all([world.standin.close(), other.standin.close()]);
  const sent = [...world.received, ...other.received].map(({ event }) => event.id);
  expect(sent).toHaveLength(20);
  expect(new Set(sent).size).toBe(20);
  // Both sign with the same secret: either may verify what the other sent.
  for (const { body, headers } of other.received)
    stripe.webhooks.constructEvent(body, headers['Stripe-Signature'] ?? '', world.standin.webhookSecret);
});

test('nothing is sent after close', async () => {
  const { stripe, standin, received } = world;
  const other = world.beside();
  const letPass = controlPolling();
  standin.start();
  await stripe.customers.create({});
  await until(() => received.length === 1);
  await standin.close();
  await stripe.customers.create({});
  letPass(3);
  other.standin.start();
  await until(() => other.received.length === 1);
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
  await stripe.customers.create({});
  hanging.start();
  await until(() => asked === 1);
  await hanging.close();
  const [row] = await sql`select done_at, attempts, last_answer from stripe_standin.deliveries`;
  // Ended by the close, not by the end of the wait for an answer.
  expect(row).toEqual({ done_at: null, attempts: 1, last_answer: 'the gateway stops' });
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
