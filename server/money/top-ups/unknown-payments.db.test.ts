import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { requestTopup, sendPayment, type TestChallenge } from '@/test/support/payment-client';
import { TokenPayments } from '@/test/support/token-payments';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { ChargeOutcome, PaymentSnapshot } from '../../platform/ports/ports';
import { reconcilePayment } from '../payments/reconcile-payment';
import { reconcile } from '../reconcile/reconcile';
import { recoverTopups } from './recover-topups';

type Charge = Parameters<TokenPayments['chargeToken']>[0];

/** A slow provider: it decides after its response, or after the caller has given up. */
class SlowPayments extends TokenPayments {
  /**
   * `pending`: not decided yet. `in flight`: the caller has given up, and the payment cannot be
   * found yet.
   */
  slow: 'no' | 'pending' | 'in flight' = 'no';
  beforeFetch: () => Promise<unknown> = async () => undefined;
  readonly #pending = new Set<string>();
  readonly #inFlight: Charge[] = [];

  override async chargeToken(charge: Charge): Promise<ChargeOutcome> {
    if (this.slow === 'in flight') {
      this.#inFlight.push(charge);
      throw new PaymentsUnavailable('no answer in time');
    }
    const answer = await super.chargeToken(charge);
    if (this.slow !== 'pending' || answer.outcome === 'declined') return answer;
    this.#pending.add(answer.paymentId);
    return { outcome: 'pending', paymentId: answer.paymentId };
  }

  override async findPayment(paymentId: string): Promise<PaymentSnapshot | null> {
    const facts = await super.findPayment(paymentId);
    return facts && this.#pending.has(paymentId) ? { ...facts, status: 'pending' } : facts;
  }

  override async findPaymentOfOrder(order: { orderId: string }): Promise<string | null> {
    const found = await super.findPaymentOfOrder(order);
    await this.beforeFetch();
    return found;
  }

  /** Completes everything that was slow. */
  async arrive(): Promise<void> {
    this.slow = 'no';
    this.#pending.clear();
    for (const charge of this.#inFlight.splice(0)) await super.chargeToken(charge);
  }
}

const payments = new SlowPayments();
const env = { STRIPE_FAKE: '1', AUTH_SECRET: 'the same secret in every process of it' };
let one: Harness;
let two: Harness;
beforeAll(async () => {
  const options = { fakeStripe: true, ports: { payments }, env, role: 'command' } as const;
  one = await startHarness(options);
  two = await startHarness({ ...options, peer: one });
});
afterAll(async () => {
  const { differences } = await reconcile(one.runtime);
  await two.close();
  await one.close();
  expect(differences).toEqual([]);
});
afterEach(() => {
  payments.slow = 'no';
  payments.beforeFetch = async () => undefined;
});

const expire = (id: string, ago: string) =>
  one.runtime.sql`update orders set expires_at = now() - ${ago}::interval where id = ${id}`;
const endLease = (id: string) => one.runtime.sql`
  update orders set lease_expires_at = now() - interval '1 second' where id = ${id} and lease_expires_at is not null`;
const readStatus = async (id: string) =>
  (await one.runtime.sql`select status from orders where id = ${id}`)[0]?.status;
const fetchBalance = async (key: string) =>
  (await one.request('GET', '/v1/billing/balance', { key })).body.available_usd;
const buildToken = (challenge: TestChallenge) => ({ spt: `spt_test_${challenge.id}` });
const UNKNOWN = { status: 503, body: { error: { code: 'UNAVAILABLE' } } };
const EXPIRED = { status: 402, body: { type: 'https://paymentauth.org/problems/payment-expired' } };

describe('while a payment may still arrive, the client is not asked to pay again', () => {
  it('if the provider has it and is undecided when the challenge expires', async () => {
    const { key } = await one.person();
    const { stripe, topupId } = await requestTopup(one, key);
    payments.slow = 'pending';
    expect(await sendPayment(one, stripe, buildToken(stripe))).toMatchObject(UNKNOWN);
    await expire(topupId, '1 hour');
    const again = await sendPayment(one, stripe, buildToken(stripe));
    expect(again).toMatchObject(UNKNOWN);
    expect(again.headers['www-authenticate']).toBeUndefined();
    await recoverTopups(one.runtime);
    expect(await readStatus(topupId)).toBe('open');
    await payments.arrive();
    expect(await sendPayment(one, stripe, buildToken(stripe))).toMatchObject({ status: 200 });
    expect(await fetchBalance(key)).toBe(5);
  });

  it('if the request timed out just before the challenge expired @E11', async () => {
    const { key } = await one.person();
    const { stripe, topupId } = await requestTopup(one, key);
    payments.slow = 'in flight';
    expect(await sendPayment(one, stripe, buildToken(stripe))).toMatchObject(UNKNOWN);
    await expire(topupId, '10 seconds');
    await recoverTopups(two.runtime);
    expect(await sendPayment(one, stripe, buildToken(stripe))).toMatchObject(UNKNOWN);
    await payments.arrive();
    expect(await sendPayment(one, stripe, buildToken(stripe))).toMatchObject({ status: 200 });
    expect(await fetchBalance(key)).toBe(5);
  });

  it('until it has been undecided for a day; it is credited if it arrives later', async () => {
    const { key } = await one.person();
    const { stripe, topupId } = await requestTopup(one, key);
    payments.slow = 'pending';
    expect(await sendPayment(one, stripe, buildToken(stripe))).toMatchObject(UNKNOWN);
    await expire(topupId, '25 hours');
    await recoverTopups(one.runtime);
    expect(await readStatus(topupId)).toBe('expired');
    await payments.arrive();
    await reconcilePayment(one.runtime, payments, payments.charges.at(-1)?.id ?? '');
    expect(await fetchBalance(key)).toBe(5);
  });
});

it('a process that stalled for longer than its lease does not charge a top-up that another has ended', async () => {
  const { key } = await one.person();
  const { stripe, topupId } = await requestTopup(one, key);
  payments.fault = 'down';
  expect(await sendPayment(one, stripe, buildToken(stripe))).toMatchObject(UNKNOWN);
  payments.fault = 'none';
  let goOn = () => {};
  const hangs = new Promise<void>((started) => {
    payments.beforeFetch = () => {
      payments.beforeFetch = async () => undefined;
      started();
      return new Promise<void>((done) => {
        goOn = done;
      });
    };
  });
  const stalled = sendPayment(one, stripe, buildToken(stripe));
  await hangs;
  await expire(topupId, '10 minutes');
  await endLease(topupId);
  const fresh = await sendPayment(two, stripe, buildToken(stripe));
  expect(fresh).toMatchObject(EXPIRED);
  const before = payments.charges.length;
  goOn();
  expect((await stalled).status).not.toBe(200);
  expect(payments.charges).toHaveLength(before);
});
