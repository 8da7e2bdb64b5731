import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buyCredit, getFakeStripe } from '@/test/support/buy-credit';
import { type Harness, startHarness } from '@/test/support/harness';
import { readReloadState, spend } from '@/test/support/reload-fixture';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { JobTimer } from '../../platform/background/job-timer';
import { createStripePayments } from '../../platform/ports/stripe-payments';
import { MONEY_JOBS } from '../money-jobs';
import { reconcile } from '../reconcile/reconcile';
import { runReloads } from './run-reloads';

/**
 * Two processes with Stripe's SDK and the fake Stripe; responses to the second one's charges can be
 * lost.
 */
let one: Harness;
let two: Harness;
/** Responses to charges that the second process will not receive. */
let lost = 0;
/** Whether the gateway receives the provider's events. */
let eventsDelivered = true;
beforeAll(async () => {
  const env = {
    AUTH_SECRET: randomBytes(32).toString('base64'),
    ...UNLIMITED_RATES,
    CONCURRENT_CALLS: '1000',
  };
  one = await startHarness({ fakeStripe: true, env, role: 'command', onEvent: () => eventsDelivered });
  const fakeStripe = getFakeStripe(one);
  fakeStripe.start();
  const { secretKey, webhookSecret } = fakeStripe;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const charges = request.method === 'POST' && request.url.endsWith('/v1/payment_intents');
    const response = await fakeStripe.fetch(request);
    if (!charges || lost === 0) return response;
    lost--;
    throw new TypeError('fetch failed');
  };
  const payments = createStripePayments({ mode: 'fake', secretKey, webhookSecret, fetch });
  two = await startHarness({ ports: { payments }, env, role: 'command', peer: one });
});
afterAll(async () => {
  await getFakeStripe(one).close();
  await two.close();
  await one.close();
});
afterEach(async () => {
  eventsDelivered = true;
  lost = 0;
  expect((await reconcile(one.runtime)).differences).toEqual([]);
});

/** The SDK sends each failed request once more by itself. */
const SENT = 2;
const PAYS = '4242 4242 4242 4242';
const DECLINED_LATER = '4000 0000 0000 0341';
const CUT = '4000 0000 0000 7777';

type Person = Awaited<ReturnType<Harness['person']>>;

/** A person who bought $6 with a saved card, has auto-recharge on, and has spent $2. */
async function lowPerson(number: string): Promise<Person> {
  const person = await one.person();
  await buyCredit(one, { key: person.key, usd: 6, number });
  const json = { autoReloadEnabled: true, autoReloadThreshold: 5, autoReloadAmount: 20 };
  const set = await one.request('PUT', '/v1/billing/preferences', { key: person.key, json });
  expect(set.body).toMatchObject({ autoReloadEnabled: true, saved_card: { last4: number.slice(-4) } });
  for (let i = 0; i < 2; i++) expect((await spend(one, person.key, 1_000_000n)).status).toBe(200);
  return person;
}

const run = (process: Harness) => runReloads(process.runtime, new AbortController().signal);
const state = ({ accountId }: Person) => readReloadState(one.runtime, accountId);
const passTime = async () => {
  const { sql } = one.runtime;
  await sql`update orders set lease_expires_at = now() - interval '1 second' where lease_expires_at is not null`;
  await sql`update accounts set reload_not_before_at = now() where reload_not_before_at is not null`;
};
/** Statuses of the provider's payments for reloads of an account, oldest first. */
const charges = async ({ accountId }: Person): Promise<string[]> => {
  const rows = await one.runtime.sql<{ status: string }[]>`
    select i.data->>'status' as status from fake_stripe.objects i join orders o on o.id = i.data->'metadata'->>'order_id'
    where i.kind = 'payment_intent' and o.kind = 'reload' and o.account_id = ${accountId} order by i.seq`;
  return rows.map(({ status }) => status);
};
const bought = { status: 'paid' };
const RELOADED = 24_000_000n;

describe("with Stripe's API", () => {
  it('a hundred concurrent paid calls on two processes make one payment, credited once @A21', async () => {
    const person = await lowPerson(PAYS);
    const timers = [one, two].map(({ runtime }) => new JobTimer(runtime, MONEY_JOBS));
    for (const timer of timers) timer.start();
    await Promise.all(Array.from({ length: 100 }, (_, i) => spend(i % 2 ? one : two, person.key, 10_000n)));
    const after = RELOADED - 1_000_000n;
    await expect
      .poll(() => state(person), { timeout: 10_000 })
      .toMatchObject({ balance: after, wanted: false, orders: [bought, bought] });
    await Promise.all(timers.map((timer) => timer.stop()));
    await run(one);
    expect(await charges(person)).toEqual(['succeeded']);
    expect(await state(person)).toMatchObject({ balance: after, mails: [] });
  });

  it('a charge with its first response cut off is one payment @E11', async () => {
    const person = await lowPerson(CUT);
    await run(one);
    expect(await state(person)).toMatchObject({ balance: RELOADED, orders: [bought, bought] });
    expect(await charges(person)).toEqual(['succeeded']);
  });

  it.each([
    ['no event reports it', false],
    ['an event reports it first', true],
  ])('a charge without a response is one payment when %s', async (_, events) => {
    const person = await lowPerson(PAYS);
    eventsDelivered = events;
    lost = SENT;
    await run(two);
    expect(await charges(person)).toEqual(['succeeded']);
    if (events)
      await expect.poll(() => state(person), { timeout: 10_000 }).toMatchObject({ balance: RELOADED });
    else expect(await state(person)).toMatchObject({ orders: [bought, { status: 'open' }] });
    await passTime();
    await Promise.all([run(one), run(two)]);
    expect(await state(person)).toMatchObject({ balance: RELOADED, orders: [bought, bought] });
    expect(await charges(person)).toEqual(['succeeded']);
  });

  it('a decline without a response is replayed with its reason, and counted once', async () => {
    const person = await lowPerson(DECLINED_LATER);
    lost = SENT;
    await run(two);
    expect(await state(person)).toMatchObject({ failures: 0, orders: [bought, { status: 'open' }] });
    await passTime();
    await run(one);
    const declined = { status: 'failed', failure_code: 'generic_decline' };
    expect(await state(person)).toMatchObject({ failures: 1, orders: [bought, declined] });
    expect(await charges(person)).toEqual(['requires_payment_method']);
  });

  it('three declines switch auto-recharge off', async () => {
    const person = await lowPerson(DECLINED_LATER);
    for (let i = 0; i < 4; i++) {
      await run(one);
      await passTime();
    }
    expect(await state(person)).toMatchObject({
      balance: 4_000_000n,
      enabled: false,
      stopped: true,
      mails: ['reload_declined', 'reload_declined', 'reload_stopped'],
    });
    expect(await charges(person)).toEqual(Array(3).fill('requires_payment_method'));
  });

  it("a bank that requires the owner's confirmation counts as a decline", async () => {
    const person = await lowPerson(PAYS);
    // The checkout page would ask the buyer to confirm, so the card is attached directly.
    const { customerId, paymentMethodId } = await replaceCard(person, 'pm_card_authenticationRequired');
    await one.runtime.sql`update payment_profiles set payment_method_id = ${paymentMethodId}
      where customer_id = ${customerId}`;
    await run(one);
    const declined = { status: 'failed', failure_code: 'authentication_required' };
    expect(await state(person)).toMatchObject({ failures: 1, orders: [bought, declined] });
  });

  it('a card that was removed at the provider is not charged, even without an event', async () => {
    const person = await lowPerson(PAYS);
    eventsDelivered = false;
    const [profile] = await one.runtime.sql`
      select customer_id, payment_method_id from payment_profiles where account_id = ${person.accountId}`;
    await api(`payment_methods/${profile?.payment_method_id}/detach`);
    await run(one);
    await passTime();
    await run(one);
    await passTime();
    await run(one);
    await run(one);
    const dropped = { status: 'expired', failure_code: 'not_needed' };
    expect(await state(person)).toMatchObject({ failures: 0, wanted: false, orders: [bought, dropped] });
    expect(await charges(person)).toEqual([]);
  });
});

async function api(path: string, form: Record<string, string> = {}) {
  const fakeStripe = getFakeStripe(one);
  const response = await fakeStripe.fetch(
    new Request(`http://stripe.test/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fakeStripe.secretKey}` },
      body: new URLSearchParams(form),
    }),
  );
  expect(response.status).toBe(200);
  return await response.json();
}

async function replaceCard({ accountId }: Person, magicId: string) {
  const [profile] = await one.runtime
    .sql`select customer_id from payment_profiles where account_id = ${accountId}`;
  const customerId: string = profile?.customer_id;
  const { id } = await api(`payment_methods/${magicId}/attach`, { customer: customerId });
  return { customerId, paymentMethodId: id as string };
}
