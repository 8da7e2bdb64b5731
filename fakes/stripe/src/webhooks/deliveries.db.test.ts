import Stripe from 'stripe';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createFakeStripe } from '../fake-stripe';
import { pay } from '../testing/client';
import { createCheckout, type Fixture, ROOT, startFixture, waitUntil } from '../testing/fixture';

let database: TestDatabase;
let fixture: Fixture;
beforeEach(async () => {
  database = await createTestDatabase();
  fixture = startFixture(database);
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture.close();
  await database.drop();
});

/** Stops polling by the clock. @returns a function that advances it by some seconds */
function controlPolling(): (seconds: number) => void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return (seconds) => void vi.advanceTimersByTime(seconds * 1_000);
}

/** Seconds since the epoch, by the database's clock. */
async function readClock(): Promise<number> {
  const [row] = await fixture.sql<{ now: number }[]>`
    select extract(epoch from clock_timestamp())::float8 as now`;
  return row?.now ?? 0;
}

/** Waits for a failed attempt. @returns when the event is due again */
async function waitForRetry(attempts: number, result: string): Promise<number> {
  const due = async () => {
    const [row] = await fixture.sql<{ due: number }[]>`
      select extract(epoch from due_at)::float8 as due from fake_stripe.deliveries
      where attempts = ${attempts} and last_answer = ${result}`;
    return row?.due;
  };
  return await waitUntil(due);
}

const sortTypes = (events: readonly { type: string }[]) => events.map(({ type }) => type).sort();

it('sends the events of Stripe for a purchase, signed so that the SDK accepts them', async () => {
  const { stripe, fakeStripe, received } = fixture;
  // Without polling: each event is sent once, right after its commit.
  controlPolling();
  fakeStripe.start();
  const customer = await stripe.customers.create({ name: 'Pat' });
  const { url } = await createCheckout(stripe, {
    customer: customer.id,
    payment_intent_data: { setup_future_usage: 'off_session' },
  });
  await pay(fixture.fakeStripe, url);
  await waitUntil(() => received.length >= 6);
  expect(sortTypes(received.map(({ event }) => event))).toEqual([
    'charge.succeeded',
    'checkout.session.completed',
    'customer.created',
    'payment_intent.created',
    'payment_intent.succeeded',
    'payment_method.attached',
  ]);
  for (const { body, headers } of received) {
    const signature = headers['Stripe-Signature'] ?? '';
    const event = stripe.webhooks.constructEvent(body, signature, fakeStripe.webhookSecret);
    expect(event).toMatchObject({ object: 'event', livemode: false, api_version: Stripe.API_VERSION });
    for (const [changed, secret] of [
      [body.replace('"event"', '"evenT"'), fakeStripe.webhookSecret],
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

it('retries an event until the webhook accepts it', async () => {
  const { stripe, fakeStripe, received, webhookStatuses, sql } = fixture;
  const advance = controlPolling();
  webhookStatuses.push(500, 400);
  fakeStripe.start();
  const start = await readClock();
  await stripe.customers.create({});
  expect((await waitForRetry(1, '500')) - start).toBeGreaterThanOrEqual(1);
  const again = await readClock();
  await sql`update fake_stripe.deliveries set due_at = clock_timestamp()`;
  advance(1);
  const due = await waitForRetry(2, '400');
  expect(due - again).toBeGreaterThanOrEqual(5);
  expect(due - (await readClock())).toBeLessThanOrEqual(5);
  await sql`update fake_stripe.deliveries set due_at = clock_timestamp()`;
  advance(1);
  await waitUntil(() => received.length === 3);
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  await waitUntil(async () => (await stripe.events.list({})).data[0]?.pending_webhooks === 0);
  advance(60);
  // Sent after all events that were due before it.
  await stripe.customers.create({});
  await waitUntil(() => received.length > 3);
  expect(new Set(received.slice(0, 3).map(({ event }) => event.id)).size).toBe(1);
  expect(received[3]?.event.id).not.toBe(received[0]?.event.id);
});

it('sends each event once from two processes on one database', async () => {
  const other = fixture.startAnother();
  const { stripe } = fixture;
  const advance = controlPolling();
  await Promise.all(Array.from({ length: 20 }, (_, at) => stripe.customers.create({ name: `${at}` })));
  expect(fixture.received).toHaveLength(0);
  fixture.fakeStripe.start();
  other.fakeStripe.start();
  await waitUntil(() => fixture.received.length + other.received.length >= 20);
  advance(3);
  // Closing waits for events that are being sent.
  await Promise.all([fixture.fakeStripe.close(), other.fakeStripe.close()]);
  const sent = [...fixture.received, ...other.received].map(({ event }) => event.id);
  expect(sent).toHaveLength(20);
  expect(new Set(sent).size).toBe(20);
  // Both sign with the same secret, so each can verify events of the other.
  for (const { body, headers } of other.received)
    stripe.webhooks.constructEvent(body, headers['Stripe-Signature'] ?? '', fixture.fakeStripe.webhookSecret);
});

it('sends nothing after close', async () => {
  const { stripe, fakeStripe, received } = fixture;
  const other = fixture.startAnother();
  const advance = controlPolling();
  fakeStripe.start();
  await stripe.customers.create({});
  await waitUntil(() => received.length === 1);
  await fakeStripe.close();
  await stripe.customers.create({});
  advance(3);
  other.fakeStripe.start();
  await waitUntil(() => other.received.length === 1);
  expect(received).toHaveLength(1);
});

it('closes even if the webhook does not respond', async () => {
  const { sql, stripe } = fixture;
  let requests = 0;
  const hanging = createFakeStripe({
    sql,
    publicUrl: ROOT,
    log: { error: () => undefined },
    deliver: () => {
      requests += 1;
      return new Promise(() => {});
    },
  });
  await stripe.customers.create({});
  hanging.start();
  await waitUntil(() => requests === 1);
  await hanging.close();
  const [row] = await sql`select done_at, attempts, last_answer from fake_stripe.deliveries`;
  // Aborted by the close, not by the timeout.
  expect(row).toEqual({ done_at: null, attempts: 1, last_answer: 'closed before the webhook responded' });
});

it('lists events newest first, by type and time, in pages', async () => {
  const { stripe } = fixture;
  const names = ['a', 'b', 'c'];
  for (const name of names) {
    const { id } = await stripe.customers.create({ name });
    await stripe.customers.update(id, { name: `${name}2` });
  }
  const createdEvents = await stripe.events.list({ type: 'customer.created' });
  expect(createdEvents.data.map(({ data: { object } }) => ('name' in object ? object.name : ''))).toEqual([
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
  const before = await stripe.events.list({ ending_before: paged[2] ?? '' });
  expect(before.data.map(({ id }) => id)).toEqual(paged.slice(0, 2));

  const at = both.data[0]?.created ?? 0;
  expect((await stripe.events.list({ created: { gte: at + 1 } })).data).toEqual([]);
  expect((await stripe.events.list({ created: { gte: at - 60, lt: at + 1 } })).data).toHaveLength(6);
  expect(await stripe.events.retrieve(first ?? '')).toMatchObject({ id: first, type: 'customer.updated' });
  expect(both.data[0]?.data.previous_attributes).toEqual({ name: 'c' });
});

it('keeps all state after a restart', async () => {
  const { stripe } = fixture;
  const customer = await stripe.customers.create({ email: 'pat@example.test' });
  const session = await createCheckout(stripe, { customer: customer.id });
  const idempotencyKey = 'restart';
  const created = await stripe.customers.create({ name: 'once' }, { idempotencyKey });

  const after = fixture.startAnother();
  expect(after.fakeStripe.secretKey).toBe(fixture.fakeStripe.secretKey);
  expect(await after.stripe.customers.retrieve(customer.id)).toEqual(customer);
  expect((await pay(after.fakeStripe, session.url)).status).toBe(303);
  expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
  expect(await after.stripe.customers.create({ name: 'once' }, { idempotencyKey })).toEqual(created);
  after.fakeStripe.start();
  await waitUntil(() => after.received.some(({ event }) => event.type === 'checkout.session.completed'));
});
