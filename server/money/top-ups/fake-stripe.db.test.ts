import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getFakeStripe } from '@/test/support/buy-credit';
import { type Harness, startHarness } from '@/test/support/harness';
import { requestTopup, sendPayment } from '@/test/support/payment-client';
import { reconcile } from '../reconcile/reconcile';
import { recoverTopups } from './recover-topups';

/** End to end: our port, Stripe's SDK, the fake Stripe, and its signed events, which credit too. */
const AUTH_SECRET = 'the same secret in every process of it';
let harness: Harness;
let peer: Harness;
beforeAll(async () => {
  // With role `command`, only the tests recover top-ups.
  harness = await startHarness({ fakeStripe: true, env: { AUTH_SECRET }, role: 'command' });
  peer = await startHarness({ fakeStripe: true, env: { AUTH_SECRET }, role: 'command', peer: harness });
  getFakeStripe(harness).start();
});
afterAll(async () => {
  const { differences } = await reconcile(harness.runtime);
  await getFakeStripe(harness).close();
  await peer.close();
  await harness.close();
  expect(differences).toEqual([]);
});

/** A token as an agent's wallet would grant it. */
async function grant(card = 'pm_card_visa', maxCents = 580): Promise<{ spt: string }> {
  const { fakeStripe } = harness.runtime.ports;
  if (!fakeStripe) throw new Error('The fake Stripe is not running');
  const response = await fakeStripe.fetch(
    new Request('http://stripe.test/v1/test_helpers/shared_payment/granted_tokens', {
      method: 'POST',
      headers: { authorization: `Bearer ${fakeStripe.secretKey}` },
      body: new URLSearchParams({
        payment_method: card,
        'usage_limits[currency]': 'usd',
        'usage_limits[max_amount]': String(maxCents),
        'usage_limits[expires_at]': String(Math.floor(Date.now() / 1000) + 600),
      }),
    }),
  );
  const { id } = await response.json();
  return { spt: id };
}
const fetchBalance = async (key: string) =>
  (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;
const listCharges = async (topupId: string) => {
  const { payments } = harness.runtime.ports;
  const paid: string[] = [];
  for await (const facts of payments?.listPayments(new Date(Date.now() - 600_000)) ?? [])
    if (facts.orderId === topupId && facts.status === 'paid') paid.push(facts.id);
  return paid;
};

describe('a shared payment token', () => {
  it('is charged and credited once: ten at once, in two processes, concurrently with its events @A12', async () => {
    const { key } = await harness.person();
    const { stripe, topupId } = await requestTopup(harness, key);
    const token = await grant();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => sendPayment(n % 2 ? harness : peer, stripe, token)),
    );
    const [first] = answers;
    expect(first).toMatchObject({ status: 200, body: { credited_usd: 5, charged_usd: 5.8, balance_usd: 5 } });
    for (const answer of answers)
      expect([answer.status, answer.text, answer.headers['payment-receipt']]).toEqual([
        200,
        first?.text,
        first?.headers['payment-receipt'],
      ]);
    expect(await listCharges(topupId)).toEqual([first?.body.payment_ref]);
    expect(await fetchBalance(key)).toBe(5);
  });

  it('is charged once and credited if its response is cut off @E11', async () => {
    const { key } = await harness.person();
    const { stripe, topupId } = await requestTopup(harness, key);
    const token = await grant('pm_card_cutAfterCharge');
    let answer = await sendPayment(harness, stripe, token);
    if (answer.status === 503) answer = await sendPayment(peer, stripe, token);
    expect(answer).toMatchObject({ status: 200, body: { balance_usd: 5 } });
    expect(await listCharges(topupId)).toHaveLength(1);
  });

  it('that was charged by a process that died is credited without the client', async () => {
    const { key } = await harness.person();
    const { stripe, topupId } = await requestTopup(harness, key);
    await harness.runtime
      .sql`update orders set attempts = 1, fence = 'dead', challenge_id = ${stripe.id ?? ''},
      lease_expires_at = now() - interval '1 second' where id = ${topupId}`;
    const { spt: token } = await grant();
    const charge = { orderId: topupId, token, totalCents: 580, description: 'x' };
    await harness.runtime.ports.payments?.chargeToken({ ...charge, idempotencyKey: stripe.id ?? '' });
    await recoverTopups(harness.runtime);
    expect(await fetchBalance(key)).toBe(5);
  });

  it.each([
    ['is declined', () => grant('pm_card_visa_chargeDeclinedInsufficientFunds'), 'verification-failed'],
    ['allows less than the price', () => grant('pm_card_visa', 579), 'verification-failed'],
    ['does not exist', async () => ({ spt: 'spt_unknown_to_stripe' }), 'verification-failed'],
    ['is used up', grantUsed, 'verification-failed'],
    ['requires a person', () => grant('pm_card_authenticationRequired'), 'payment-action-required'],
  ])('that %s pays nothing, and neither its 402 nor the log discloses it', async (_, grantToken, type) => {
    const { key } = await harness.person();
    const { stripe, topupId } = await requestTopup(harness, key);
    const { spt } = await grantToken();
    const answer = await sendPayment(harness, stripe, { spt });
    expect(answer).toMatchObject({ status: 402, body: { type: `https://paymentauth.org/problems/${type}` } });
    expect(answer.headers['www-authenticate']).toContain('method="stripe"');
    expect(answer.text + harness.log.join('')).not.toContain(spt);
    expect(await listCharges(topupId)).toEqual([]);
    expect(await fetchBalance(key)).toBe(0);
  });
});

async function grantUsed(): Promise<{ spt: string }> {
  const { key } = await harness.person();
  const { stripe } = await requestTopup(harness, key);
  const token = await grant();
  expect((await sendPayment(harness, stripe, token)).status).toBe(200);
  return token;
}
