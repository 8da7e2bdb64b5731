import Stripe from 'stripe';
import { connect, type Sql } from '@/db/client';
import { createLogger } from '@/server/kit/log';
import { createStripeStandin, type StripeStandin } from '../stripe-standin';

export const BASE = 'http://gateway.test';
export const ROOT = `${BASE}/stripe-standin`;

/** What the gateway's webhook was sent. */
export interface Received {
  headers: Record<string, string>;
  body: string;
  event: Stripe.Event;
}

/** A stand-in on a database of its own, the real SDK on it, and a webhook that remembers what it gets. */
export interface World {
  standin: StripeStandin;
  stripe: Stripe;
  sql: Sql;
  received: Received[];
  /** The headers of every answer that the SDK got. */
  answered: Headers[];
  /** What the webhook answers next, first to last; afterwards 200. */
  answers: number[];
  slowCards: SlowCards;
  log: string[];
  /** Another stand-in on the same database, as another process has it. */
  beside(): World;
  close(): Promise<void>;
}

/** Slow cards wait here for a test, not for the clock. */
interface SlowCards {
  /** How long each request with one was made to wait, in milliseconds. */
  readonly waits: readonly number[];
  /** Makes the next one wait until it is released; without it none does. */
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

const SECRET = 'a secret of the data folder';

/** @param database of this test's own; `close` leaves it to the test */
export function startWorld(database: { url: string }): World {
  const { sql, close } = connect(database.url, 4);
  const received: Received[] = [];
  const answered: Headers[] = [];
  const answers: number[] = [];
  const log: string[] = [];
  const others: World[] = [];
  const slowCards = createSlowCards();
  const standin = createStripeStandin({
    sql,
    publicUrl: ROOT,
    secret: SECRET,
    openApi: true,
    log: createLogger((line) => log.push(line)),
    pause: slowCards.pause,
    async deliver({ headers, body }) {
      received.push({ headers, body, event: JSON.parse(body) });
      return { status: answers.shift() ?? 200 };
    },
  });
  return {
    standin,
    stripe: sdkOf(standin, {}, (headers) => answered.push(headers)),
    sql,
    received,
    answered,
    answers,
    slowCards,
    log,
    beside() {
      const other = startWorld(database);
      others.push(other);
      return other;
    },
    async close() {
      for (const other of others) await other.close();
      await standin.close();
      await close();
    },
  };
}

/** The real SDK, talking to a stand-in in this process. */
export function sdkOf(
  standin: StripeStandin,
  config: Stripe.StripeConfig = {},
  onAnswer?: (headers: Headers) => void,
): Stripe {
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await standin.fetch(new Request(input, init));
    onAnswer?.(response.headers);
    return response;
  };
  return new Stripe(standin.secretKey, {
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(fetch),
    ...config,
  });
}

/** A page as a browser has it: its markup, and how to send its forms. */
export interface Browsed {
  status: number;
  html: string;
  /** Where a redirect leads. */
  location: string | null;
  headers: Headers;
}

export async function browse(
  { standin }: Pick<World, 'standin'>,
  address: string,
  form?: Record<string, string>,
): Promise<Browsed> {
  const path = address.startsWith(ROOT) ? address.slice(ROOT.length) || '/' : address;
  const response = await standin.serve(
    new Request(`${BASE}${path}`, {
      method: form ? 'POST' : 'GET',
      ...(form && {
        body: new URLSearchParams(form),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
    }),
  );
  return {
    status: response.status,
    html: await response.text(),
    location: response.headers.get('location'),
    headers: response.headers,
  };
}

/** The value of a form's field. */
export function fieldOf(html: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];
  if (value === undefined) throw new Error(`the page has no field ${name}`);
  return value;
}

/** Pays a checkout session as a person does: opens its page, fills in a card, sends the form. */
export async function pay(
  world: Pick<World, 'standin'>,
  url: string | null,
  fields: Record<string, string> = {},
): Promise<Browsed> {
  const [answer] = await payAtOnce(world, url, 1, fields);
  if (!answer) throw new Error('the form was not sent');
  return answer;
}

/** Opens the page once and sends its form so many times at once, as an impatient person does. */
export async function payAtOnce(
  world: Pick<World, 'standin'>,
  url: string | null,
  times: number,
  fields: Record<string, string> = {},
): Promise<Browsed[]> {
  const { html } = await browse(world, url ?? '');
  const form = {
    nonce: fieldOf(html, 'nonce'),
    means: 'card',
    email: 'pat@example.test',
    number: '4242 4242 4242 4242',
    expiry: '12/34',
    cvc: '123',
    name: 'Pat Pretend',
    ...fields,
  };
  return await Promise.all(Array.from({ length: times }, () => browse(world, url ?? '', form)));
}

/** A checkout for $10.80 as the gateway asks for it. */
export async function checkout(
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

/** The error that a request fails with. */
export async function errorOf(
  request: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  const error = await request.then(
    () => null,
    (reason) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw new Error(`no error of Stripe's: ${error}`);
}

/** Waits until something holds, at most for some seconds. */
export async function until<T>(look: () => T | Promise<T>, seconds = 10): Promise<NonNullable<Awaited<T>>> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error('it never came to hold');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
