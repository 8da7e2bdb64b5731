import type Stripe from 'stripe';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import { pay } from '../../../fakes/stripe/src/testing/client';
import type { FakeStripe } from '../../platform/ports/ports';
import { catchUpEvents } from './catch-up';
import {
  buy,
  checkPermutations,
  findOrderPayment,
  getBalanceUsd,
  getFixtures,
  setUpFakeStripe,
  withoutEvents,
} from './testing/fake-stripe-events';

let harness: Harness;
let fakeStripe: FakeStripe;
let stripe: Stripe;

setUpFakeStripe();
beforeAll(() => {
  ({ harness, fakeStripe, stripe } = getFixtures());
});

/** Sets when the bank responds, in seconds since 1970, instead of seconds after the payment. */
const setBankAnswers = (at: number) => harness.runtime.sql`
  update fake_stripe.objects set hidden = jsonb_set(hidden, '{settles,at}', to_jsonb(${at}::float8))
  where kind = 'payment_intent' and data->>'status' = 'processing'`;
const NEVER = 1e11;

describe("with Stripe's SDK", () => {
  it('a purchase on the hosted page is credited by the signed event, and a refund takes it back @A8', async () => {
    const { key } = await harness.person();
    const checkout = await buy(key, 10);
    const { status, location } = await pay(fakeStripe, checkout.url);
    expect(status).toBe(303);
    expect(location).toBe(`http://gateway.test/dashboard/billing/success?order=${checkout.order_id}`);
    await expect.poll(() => getBalanceUsd(key), { timeout: 15_000 }).toBe(10);
    const payment = await findOrderPayment(checkout.order_id);
    expect(payment.amount).toBe(1080);
    await stripe.refunds.create({ payment_intent: payment.id, amount: 540 });
    await expect.poll(() => getBalanceUsd(key), { timeout: 15_000 }).toBe(5);
  });

  it('any permutation of its events, with repetition, ends in the balance that its objects imply @A7', () =>
    checkPermutations(3));

  it('a bank transfer is credited when it arrives, not before; one that fails is not @A9', async () => {
    const [comes, fails] = [await harness.person(), await harness.person()];
    const coming = await buy(comes.key, 10);
    const failing = await buy(fails.key, 10);
    await pay(fakeStripe, coming.url, { means: 'bank' });
    await setBankAnswers(NEVER);
    await pay(fakeStripe, failing.url, { means: 'bank_fails' });
    await setBankAnswers(NEVER);
    expect(await getBalanceUsd(comes.key)).toBe(0);
    await setBankAnswers(0);
    fakeStripe.start();
    await expect.poll(() => getBalanceUsd(comes.key), { timeout: 15_000 }).toBe(10);
    const readStatus = async () =>
      (await harness.runtime.sql`select status from orders where id = ${failing.order_id}`)[0]?.status;
    await expect.poll(readStatus, { timeout: 15_000 }).toBe('failed');
    expect(await getBalanceUsd(fails.key)).toBe(0);
  });

  it('an event that no webhook delivered is fetched', async () => {
    const { key } = await harness.person();
    await withoutEvents(async () => await pay(fakeStripe, (await buy(key, 10)).url));
    expect(await getBalanceUsd(key)).toBe(0);
    await catchUpEvents(harness.runtime, new AbortController().signal);
    expect(await getBalanceUsd(key)).toBe(10);
  });

  it('a customer that the provider has lost is created again', async () => {
    const { key, accountId } = await harness.person();
    await harness.runtime
      .sql`insert into payment_profiles (account_id, mode, customer_id) values (${accountId}, 'fake', 'cus_lost')`;
    expect((await buy(key, 10)).total_usd).toBe(10.8);
    const portal = await harness.request('POST', '/v1/billing/portal', { key });
    expect(portal.body.url).toContain('http://gateway.test/fake-stripe/portal/');
  });
});
