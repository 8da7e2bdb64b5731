import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Harness, startHarness } from '@/test/support/harness';
import { requestTopup, sandboxProof, sendPayment, type TestChallenge } from '@/test/support/payment-client';
import { createSessionActor } from '@/test/support/session-actor';
import { DECLINED_TOKEN, TokenPayments } from '@/test/support/token-payments';
import { setFrozen } from '../../identity/accounts/freeze-account';
import { deleteAccount } from '../../lifecycle/delete-account';
import { reconcile } from '../reconcile/reconcile';
import { changeWhileLocked } from '../testing/change-while-locked';
import { recoverTopups } from './recover-topups';

/** Both processes share one provider. */
const payments = new TokenPayments();
const env = {
  MACHINE_PAYMENTS_SANDBOX: '1',
  STRIPE_FAKE: '1',
  AUTH_SECRET: 'the same secret in every process of it',
};
// With role `command`, only the tests recover top-ups.
let one: Harness;
let two: Harness;
beforeAll(async () => {
  one = await startHarness({ fakeStripe: true, ports: { payments }, env, role: 'command' });
  two = await startHarness({ fakeStripe: true, ports: { payments }, env, role: 'command', peer: one });
});
afterAll(async () => {
  const { differences } = await reconcile(one.runtime);
  await two.close();
  await one.close();
  expect(differences).toEqual([]);
});
afterEach(() => {
  payments.fault = 'none';
  payments.before = async () => undefined;
});

const listCharges = (orderId: string) => payments.charges.filter((charge) => charge.orderId === orderId);
const listCredits = async (accountId: string) =>
  await one.runtime
    .sql`select amount_microusd from ledger_entries where account_id = ${accountId} and kind = 'purchase'`;
const findOrder = async (id: string) => {
  const [order] = await one.runtime.sql`select * from orders where id = ${id}`;
  return order;
};
const fetchBalance = async (key: string) =>
  (await one.request('GET', '/v1/billing/balance', { key })).body.available_usd;
const endLease = (id: string) => one.runtime.sql`
  update orders set lease_expires_at = now() - interval '1 second' where id = ${id}`;
const letExpire = (id: string) => one.runtime.sql`
  update orders set expires_at = now() - interval '10 minutes' where id = ${id}`;
const buildToken = (challenge: TestChallenge) => ({ spt: `spt_test_${challenge.id}` });
/** The parts that all responses to one payment share. */
const comparable = ({ status, body, headers }: Answer) => ({
  status,
  body,
  receipt: headers['payment-receipt'],
});

describe('a payment that is sent more than once', () => {
  it.each([
    ['stripe', 'one process'],
    ['stripe', 'two processes'],
    ['sandbox', 'two processes'],
  ] as const)(
    'is one charge, one credit and one response for ten at once, by %s, in %s',
    async (method, processes) => {
      const { key, accountId } = await one.person();
      const offer = await requestTopup(one, key);
      const challenge = offer[method];
      const payload = method === 'stripe' ? buildToken(challenge) : sandboxProof(challenge);
      payments.before = () => new Promise((done) => setTimeout(done, 50));
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          sendPayment(n % 2 && processes === 'two processes' ? two : one, challenge, payload),
        ),
      );
      const [first] = answers.map(comparable);
      expect(answers.map(comparable)).toEqual(Array(10).fill(first));
      expect(first).toMatchObject({ status: 200, body: { credited_usd: 5, balance_usd: 5 } });
      expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(9);
      expect(listCharges(offer.topupId)).toHaveLength(method === 'stripe' ? 1 : 0);
      expect(await listCredits(accountId)).toHaveLength(1);
      expect(await fetchBalance(key)).toBe(5);
    },
  );

  it('returns the same response days later, after the balance changed and the challenge expired @A12', async () => {
    const { key, accountId } = await one.person();
    const { stripe, topupId } = await requestTopup(one, key);
    const first = await sendPayment(one, stripe, buildToken(stripe));
    const call = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.5 } };
    expect((await one.request('POST', '/v1/tools/call', { key, json: call })).status).toBe(200);
    const { sandbox } = await requestTopup(one, key, 10);
    await sendPayment(one, sandbox, sandboxProof(sandbox), { amountUsd: 10 });
    expect(await fetchBalance(key)).toBe(14.5);
    await letExpire(topupId);
    expect(comparable(await sendPayment(two, stripe, buildToken(stripe)))).toEqual(comparable(first));
    expect(first.body.balance_usd).toBe(5);
    expect(await listCredits(accountId)).toHaveLength(2);
  });

  it('is charged once with two tokens for one challenge, in sequence or concurrently @A12', async () => {
    const { key } = await one.person();
    for (const together of [false, true]) {
      const { stripe, topupId } = await requestTopup(one, key);
      const send = (token: string) => sendPayment(one, stripe, { spt: token });
      const answers = together
        ? await Promise.all(['spt_test_a', 'spt_test_b'].map(send))
        : [await send('spt_test_c'), await send('spt_test_d')];
      expect(comparable(answers[0] as Answer)).toEqual(comparable(answers[1] as Answer));
      expect(answers[0]?.status).toBe(200);
      expect(listCharges(topupId)).toHaveLength(1);
    }
  });

  it('by both challenges of one top-up is paid by the first', async () => {
    const { key, accountId } = await one.person();
    const { stripe, sandbox, topupId } = await requestTopup(one, key);
    expect((await sendPayment(one, sandbox, sandboxProof(sandbox))).status).toBe(200);
    const second = await sendPayment(one, stripe, buildToken(stripe));
    expect(second).toMatchObject({
      status: 402,
      body: { type: 'https://paymentauth.org/problems/invalid-challenge' },
    });
    expect(second.body.challengeId).not.toBe(stripe.id);
    expect(listCharges(topupId)).toHaveLength(0);
    expect(await listCredits(accountId)).toHaveLength(1);
  });

  it('waits for the request that charges, and returns that it is in progress when the wait times out', async () => {
    const { key } = await one.person();
    const { stripe } = await requestTopup(one, key);
    let charge = () => {};
    const charging = new Promise<void>((started) => {
      payments.before = () =>
        new Promise<void>((done) => {
          charge = done;
          started();
        });
    });
    const first = sendPayment(one, stripe, buildToken(stripe));
    await charging;
    const gone = new AbortController();
    const waiter = sendPayment(one, stripe, buildToken(stripe), { signal: gone.signal });
    while (one.runtime.notices.waiting === 0) await new Promise((done) => setTimeout(done, 5));
    gone.abort();
    const left = await waiter;
    expect(left).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } } });
    expect(left.headers['retry-after']).toBe('5');
    charge();
    expect((await first).status).toBe(200);
  });
});

describe('a payment with an unknown outcome', () => {
  it('is reported without a fresh challenge, and the same credential then pays without a second charge @E11', async () => {
    const { key, accountId } = await one.person();
    const { stripe, topupId } = await requestTopup(one, key);
    payments.fault = 'cut';
    const lost = await sendPayment(one, stripe, buildToken(stripe));
    expect(lost).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { status: 'error', error: { code: 'UNAVAILABLE', retry_after: 5 } },
    });
    expect(lost.headers['www-authenticate']).toBeUndefined();
    expect(lost.headers['payment-receipt']).toBeUndefined();
    expect(await fetchBalance(key)).toBe(0);
    payments.fault = 'none';
    expect(await sendPayment(two, stripe, buildToken(stripe))).toMatchObject({
      status: 200,
      body: { balance_usd: 5 },
    });
    expect(listCharges(topupId)).toHaveLength(1);
    expect(await listCredits(accountId)).toHaveLength(1);
  });

  it('is paid once even if the second request has another token', async () => {
    const { key } = await one.person();
    const { stripe, topupId } = await requestTopup(one, key);
    payments.fault = 'cut';
    expect((await sendPayment(one, stripe, { spt: 'spt_test_first' })).status).toBe(503);
    payments.fault = 'none';
    expect((await sendPayment(one, stripe, { spt: 'spt_test_second' })).status).toBe(200);
    expect(listCharges(topupId)).toMatchObject([{ token: 'spt_test_first' }]);
  });

  it('is charged by the second request if the first never reached the provider', async () => {
    const { key } = await one.person();
    const { stripe, topupId } = await requestTopup(one, key);
    payments.fault = 'down';
    expect((await sendPayment(one, stripe, buildToken(stripe))).status).toBe(503);
    expect((await sendPayment(one, stripe, buildToken(stripe))).status).toBe(503);
    expect(listCharges(topupId)).toHaveLength(0);
    payments.fault = 'none';
    expect((await sendPayment(one, stripe, buildToken(stripe))).status).toBe(200);
    expect(listCharges(topupId)).toHaveLength(1);
  });

  it('is credited after the challenge expired if it was paid before, and otherwise not charged', async () => {
    const { key } = await one.person();
    const paid = await requestTopup(one, key);
    payments.fault = 'cut';
    await sendPayment(one, paid.stripe, buildToken(paid.stripe));
    payments.fault = 'down';
    const unpaid = await requestTopup(one, key);
    await sendPayment(one, unpaid.stripe, buildToken(unpaid.stripe));
    payments.fault = 'none';
    await letExpire(paid.topupId);
    await letExpire(unpaid.topupId);
    expect((await sendPayment(one, paid.stripe, buildToken(paid.stripe))).status).toBe(200);
    expect(await sendPayment(one, unpaid.stripe, buildToken(unpaid.stripe))).toMatchObject({
      status: 402,
      body: { type: 'https://paymentauth.org/problems/payment-expired' },
    });
    expect(listCharges(unpaid.topupId)).toHaveLength(0);
    expect(await findOrder(unpaid.topupId)).toMatchObject({ status: 'expired' });
  });

  it('of an account closed since is not charged again, but credited if it was paid', async () => {
    const { key, accountId } = await one.person();
    const [taken, refused] = [await requestTopup(one, key), await requestTopup(one, key)];
    payments.fault = 'cut';
    await sendPayment(one, taken.stripe, buildToken(taken.stripe));
    payments.fault = 'down';
    await sendPayment(one, refused.stripe, buildToken(refused.stripe));
    payments.fault = 'none';
    await one.runtime.sql`update accounts set closed_at = now() where id = ${accountId}`;
    expect((await sendPayment(one, taken.stripe, buildToken(taken.stripe))).status).toBe(200);
    // The first charge may still be on its way to the provider.
    expect((await sendPayment(one, refused.stripe, buildToken(refused.stripe))).status).toBe(503);
    await letExpire(refused.topupId);
    expect((await sendPayment(one, refused.stripe, buildToken(refused.stripe))).status).toBe(401);
    expect(listCharges(refused.topupId)).toHaveLength(0);
    expect(await listCredits(accountId)).toHaveLength(1);
  });
});

describe('an account that is closed or frozen during the payment of its top-up', () => {
  const pay = (offer: Awaited<ReturnType<typeof requestTopup>>, method: 'stripe' | 'sandbox') =>
    sendPayment(
      one,
      offer[method],
      method === 'stripe' ? buildToken(offer.stripe) : sandboxProof(offer.sandbox),
    );

  it.each([
    ['closed', 'stripe', 401],
    ['closed', 'sandbox', 401],
    ['frozen', 'stripe', 403],
    ['disputed', 'stripe', 403],
  ] as const)('is not charged if it is %s first: %s @F13', async (end, method, status) => {
    const { key, accountId } = await one.person();
    const offer = await requestTopup(one, key);
    const change = `${end}_at = now()`;
    const answer = await changeWhileLocked(two, accountId, change, () => pay(offer, method));
    expect(answer).toMatchObject({ status, body: { status: 'error' } });
    expect(listCharges(offer.topupId)).toHaveLength(0);
    expect(await listCredits(accountId)).toHaveLength(0);
    expect(await findOrder(offer.topupId)).toMatchObject({ status: 'expired', payment_id: null });
    await one.runtime.sql`update accounts set disputed_at = null where id = ${accountId}`;
  });

  it('cannot be deleted before the charge is credited; if it is frozen during the charge, it is credited @F13', async () => {
    const person = await one.person();
    const offer = await requestTopup(one, person.key);
    let charge = () => {};
    const charging = new Promise<void>((started) => {
      payments.before = () =>
        new Promise<void>((done) => {
          charge = done;
          started();
        });
    });
    const paying = pay(offer, 'stripe');
    await charging;
    await expect(deleteAccount(two.runtime, createSessionActor(person))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'A payment for your account is still in progress.',
    });
    const freeze = { accountId: person.accountId, frozen: true, reason: null };
    await setFrozen(two.runtime, 'operator:test', freeze);
    charge();
    expect(await paying).toMatchObject({ status: 200, body: { credited_usd: 5, balance_usd: 5 } });
    expect(listCharges(offer.topupId)).toHaveLength(1);
    await setFrozen(two.runtime, 'operator:test', { ...freeze, frozen: false });
    await deleteAccount(two.runtime, createSessionActor(person));
  });

  it('cannot be deleted, nor its challenge reported as unpaid, while the outcome is unknown', async () => {
    const person = await one.person();
    const offer = await requestTopup(one, person.key);
    payments.fault = 'down';
    expect((await pay(offer, 'stripe')).status).toBe(503);
    payments.fault = 'none';
    await expect(deleteAccount(two.runtime, createSessionActor(person))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await setFrozen(two.runtime, 'operator:test', { ...person, frozen: true, reason: null });
    expect((await pay(offer, 'stripe')).status).toBe(503);
    expect(await findOrder(offer.topupId)).toMatchObject({ status: 'open' });
  });
});

describe('a process that dies between charge and credit', () => {
  /** The state it leaves: charged, with its lease still live. */
  const die = async (key: string, method: 'stripe' | 'sandbox' = 'stripe') => {
    const offer = await requestTopup(one, key);
    const { id: challengeId = '' } = offer[method];
    const mode = method === 'stripe' ? 'fake' : 'sandbox';
    await one.runtime.sql`update orders set attempts = 1, challenge_id = ${challengeId}, mode = ${mode},
      fence = 'dead', lease_expires_at = now() + interval '90 seconds' where id = ${offer.topupId}`;
    const { spt: token } = buildToken(offer.stripe);
    const charge = { orderId: offer.topupId, token, totalCents: 580, description: '' };
    if (method === 'stripe') await payments.chargeToken({ ...charge, idempotencyKey: challengeId });
    return offer;
  };

  it.each(['stripe', 'sandbox'] as const)('is recovered from without the client, by %s', async (method) => {
    const { key, accountId } = await one.person();
    const { topupId, ...offer } = await die(key, method);
    await recoverTopups(one.runtime);
    expect(await fetchBalance(key)).toBe(0);
    await endLease(topupId);
    await Promise.all([recoverTopups(one.runtime), recoverTopups(two.runtime)]);
    expect(await fetchBalance(key)).toBe(5);
    const payload = method === 'stripe' ? buildToken(offer.stripe) : sandboxProof(offer.sandbox);
    expect((await sendPayment(one, offer[method], payload)).status).toBe(200);
    expect(await listCredits(accountId)).toHaveLength(1);
    expect(listCharges(topupId)).toHaveLength(method === 'stripe' ? 1 : 0);
  });

  it('is recovered from by the same credential, once its lease has expired', async () => {
    const { key, accountId } = await one.person();
    const { topupId, stripe } = await die(key);
    const waiting = sendPayment(two, stripe, buildToken(stripe));
    await endLease(topupId);
    await one.runtime.sql`select pg_notify('gateway', ${`topup:${topupId}`})`;
    expect((await waiting).status).toBe(200);
    expect(listCharges(topupId)).toHaveLength(1);
    expect(await listCredits(accountId)).toHaveLength(1);
  });

  it('leaves a top-up that was never charged open until its time is over, and then expires it', async () => {
    const { key } = await one.person();
    const { topupId } = await requestTopup(one, key);
    await one.runtime
      .sql`update orders set attempts = 1, challenge_id = 'unheard', fence = 'dead' where id = ${topupId}`;
    await recoverTopups(one.runtime);
    expect(await findOrder(topupId)).toMatchObject({ status: 'open', lease_expires_at: null });
    payments.fault = 'down';
    await letExpire(topupId);
    await recoverTopups(one.runtime);
    expect(await findOrder(topupId)).toMatchObject({ status: 'open' });
    payments.fault = 'none';
    await recoverTopups(one.runtime);
    expect(await findOrder(topupId)).toMatchObject({ status: 'expired', payment_id: null });
  });

  it('does not affect top-ups without a payment attempt', async () => {
    const { key } = await one.person();
    const { topupId } = await requestTopup(one, key);
    await letExpire(topupId);
    await recoverTopups(one.runtime);
    expect(await findOrder(topupId)).toMatchObject({ status: 'open', attempts: 0 });
  });
});

describe('a payment that is declined', () => {
  it('ends its challenge, offers a fresh one, and discloses nothing about the card', async () => {
    const { key } = await one.person();
    const { stripe, topupId } = await requestTopup(one, key);
    const declined = await sendPayment(one, stripe, { spt: DECLINED_TOKEN });
    expect(declined).toMatchObject({
      status: 402,
      body: { type: 'https://paymentauth.org/problems/verification-failed', status: 402 },
    });
    expect(declined.text).not.toMatch(/4242|insufficient|spt_/);
    expect(await findOrder(topupId)).toMatchObject({ status: 'failed', failure_code: 'insufficient_funds' });
    const good = await sendPayment(one, stripe, buildToken(stripe));
    expect(good).toMatchObject({
      status: 402,
      body: { type: 'https://paymentauth.org/problems/invalid-challenge' },
    });
    expect(listCharges(topupId)).toHaveLength(0);
    expect(await fetchBalance(key)).toBe(0);
  });
});
