import postgres from 'postgres';
import Stripe from 'stripe';
import { createFakeStripe, type FakeStripe } from '../fake-stripe';
import type { SignedEvent, Sql } from '../types';
import { createSdk } from './client';

export const BASE = 'http://gateway.test';
export const ROOT = `${BASE}/fake-stripe`;

interface ReceivedEvent extends SignedEvent {
  event: Stripe.Event;
}

/** A fake Stripe, the SDK connected to it, and a webhook that records events. */
export interface Fixture {
  fakeStripe: FakeStripe;
  stripe: Stripe;
  sql: Sql;
  received: ReceivedEvent[];
  /** The headers of all responses to the SDK. */
  responses: Headers[];
  /** The next statuses of the webhook; 200 once the list is empty. */
  webhookStatuses: number[];
  slowCards: SlowCards;
  log: string[];
  /** Starts another fake on the same database, as in another process. `close` closes it too. */
  startAnother(): Fixture;
  close(): Promise<void>;
}

/** Replaces the wait of slow cards, so that tests do not depend on the clock. */
interface SlowCards {
  /** The requested waits, in milliseconds. */
  readonly waits: readonly number[];
  /** Blocks the next request with a slow card until it is released; others do not wait. */
  holdNext(): { untilHeld: Promise<void>; release(): void };
  readonly pause: (ms: number) => Promise<void>;
}

function createSignal(): { given: Promise<void>; give(): void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

function createSlowCards(): SlowCards {
  const waits: number[] = [];
  let next: (() => Promise<void>) | undefined;
  return {
    waits,
    holdNext() {
      const [held, released] = [createSignal(), createSignal()];
      next = () => {
        held.give();
        return released.given;
      };
      return { untilHeld: held.given, release: released.give };
    },
    async pause(ms) {
      const hold = next;
      next = undefined;
      waits.push(ms);
      await hold?.();
    },
  };
}

const SECRET = 'the same in all processes';

/** @param database is not dropped by `close` */
export function startFixture(database: { url: string }): Fixture {
  const sql = postgres(database.url, { max: 4, onnotice: () => undefined });
  const received: ReceivedEvent[] = [];
  const responses: Headers[] = [];
  const webhookStatuses: number[] = [];
  const log: string[] = [];
  const others: Fixture[] = [];
  const slowCards = createSlowCards();
  const fakeStripe = createFakeStripe({
    sql,
    publicUrl: ROOT,
    secret: SECRET,
    openApi: true,
    log: { error: (message) => log.push(message) },
    pause: slowCards.pause,
    async deliver({ headers, body }) {
      received.push({ headers, body, event: JSON.parse(body) });
      return { status: webhookStatuses.shift() ?? 200 };
    },
  });
  return {
    fakeStripe,
    stripe: createSdk(fakeStripe, {}, (headers) => responses.push(headers)),
    sql,
    received,
    responses,
    webhookStatuses,
    slowCards,
    log,
    startAnother() {
      const other = startFixture(database);
      others.push(other);
      return other;
    },
    async close() {
      for (const other of others) await other.close();
      await fakeStripe.close();
      await sql.end();
    },
  };
}

/** Creates a checkout session for $10.80. */
export async function createCheckout(
  stripe: Stripe,
  changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session> {
  const line = (name: string, cents: number) => ({
    quantity: 1,
    price_data: { currency: 'usd', unit_amount: cents, product_data: { name } },
  });
  return await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [line('$10.00 credit', 1000), line('Fee', 80)],
    client_reference_id: 'order_1',
    metadata: { order: 'order_1' },
    payment_intent_data: { metadata: { order: 'order_1' }, description: 'Credit' },
    success_url: `${BASE}/dashboard/billing?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${BASE}/dashboard/billing`,
    ...changes,
  });
}

/** The error of a request that must fail. */
export async function catchStripeError(
  request: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  const error = await request.then(
    () => null,
    (reason) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw new Error(`Expected an error of Stripe, got ${error}`);
}

/** Polls until the result is truthy, for 10 seconds. */
export async function waitUntil<T>(poll: () => T | Promise<T>): Promise<NonNullable<Awaited<T>>> {
  const end = Date.now() + 10_000;
  for (;;) {
    const result = await poll();
    if (result) return result;
    if (Date.now() > end) throw new Error('The condition did not hold within 10 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
