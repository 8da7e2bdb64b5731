import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD, FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { handlePaymentWebhook } from '../../api/http/payment-webhook';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import { createStripePayments } from '../../platform/ports/stripe-payments';
import { catchUpCheckouts } from './catch-up';
import { getOrder } from './get-order';
import { reconcilePayment } from './reconcile-payment';

const payments = new FakePayments();
let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ ports: { payments } });
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;

const buy = (key: string, json: object, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/billing/checkout', { key, json, headers });

const fetchBalance = async (key: string): Promise<number> =>
  (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;

const viewer = (person: Person) => ({
  kind: 'session' as const,
  userId: person.userId,
  accountId: person.accountId,
  accountType: 'personal' as const,
  accountFrozen: false,
  sessionId: 'test',
});

describe('a checkout', () => {
  it.each([
    [1, 0.8, 1.8],
    [10, 0.8, 10.8],
    [14.54, 0.8, 15.34],
    [14.64, 0.81, 15.45],
    [20, 1.1, 21.1],
    [10_000, 550, 10_550],
  ])('of $%s costs a fee of $%s, $%s in total', async (credit, fee, total) => {
    const { key } = await harness.person();
    const { status, body } = await buy(key, { amount_usd: credit });
    expect(status).toBe(200);
    expect(body).toMatchObject({ credit_usd: credit, fee_usd: fee, total_usd: total });
    expect(payments.sessions.get(`cs_${body.order_id}`)?.totalCents).toBe(Math.round(total * 100));
  });

  it.each([0, 0.99, 10_000.01, 10.001, -10, '10', true, null, [10], 1e-7, 2 ** 53])(
    'of %s is refused, and names the field',
    async (amount) => {
      const { key } = await harness.person();
      const { status, body } = await buy(key, { amount_usd: amount });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'INVALID_INPUT' });
      expect(body.error.fields[0].path).toBe('amount_usd');
    },
  );

  it('of 1e309, which JSON.parse reads as Infinity, is refused', async () => {
    const { key } = await harness.person();
    const answer = await harness.request('POST', '/v1/billing/checkout', {
      key,
      raw: '{"amount_usd":1e309}',
    });
    expect(answer.status).toBe(400);
  });

  it('credits nothing until the payment is paid, then the ordered amount, once @A9', async () => {
    const { key } = await harness.person();
    const { body } = await buy(key, { amount_usd: 10 });
    expect(await fetchBalance(key)).toBe(0);
    const paymentId = payments.complete(`cs_${body.order_id}`, 'pending');
    await reconcilePayment(harness.runtime, payments, paymentId);
    expect(await fetchBalance(key)).toBe(0);
    payments.objects(paymentId).status = 'paid';
    await Promise.all(
      Array.from({ length: 20 }, () => reconcilePayment(harness.runtime, payments, paymentId)),
    );
    expect(await fetchBalance(key)).toBe(10);
  });

  it.each([
    ['another amount', { totalCents: 100 }],
    ['another currency', { currency: 'eur' }],
    ['live money', { live: true }],
  ])('paid with %s credits nothing, and notifies the operator @A11', async (_what, wrong) => {
    const person = await harness.person();
    const { key, accountId } = person;
    const { body } = await buy(key, { amount_usd: 10 });
    const paymentId = payments.complete(`cs_${body.order_id}`);
    Object.assign(payments.objects(paymentId), wrong);
    expect(await reconcilePayment(harness.runtime, payments, paymentId)).toMatchObject({
      outcome: 'refused',
    });
    expect(await fetchBalance(key)).toBe(0);
    const audited = await harness.runtime
      .sql`select 1 from audit_events where account_id = ${accountId} and action = 'payment.refused'`;
    expect(audited).toHaveLength(1);
    // The waiting page shows that it failed, and does not claim that nothing was charged.
    const shown = await getOrder(harness.runtime, viewer(person), body.order_id);
    expect(shown).toMatchObject({ status: 'failed', payment_id: null });
  });

  it('does not credit a second payment of one order @A11', async () => {
    const { key } = await harness.person();
    const { body } = await buy(key, { amount_usd: 10 });
    await reconcilePayment(harness.runtime, payments, payments.complete(`cs_${body.order_id}`));
    const second = payments.pay(body.order_id, 1080);
    expect(await reconcilePayment(harness.runtime, payments, second)).toMatchObject({ outcome: 'refused' });
    expect(await fetchBalance(key)).toBe(10);
  });

  it('sent again with its Idempotency-Key is the same order', async () => {
    const { key, accountId } = await harness.person();
    const headers = { 'idempotency-key': 'checkout-1' };
    const answers = await Promise.all([1, 2, 3].map(() => buy(key, { amount_usd: 10 }, headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const orders = await harness.runtime.sql`select 1 from orders where account_id = ${accountId}`;
    expect(orders).toHaveLength(1);
    expect((await buy(key, { amount_usd: 11 }, headers)).status).toBe(422);
  });

  it('requires a claim of a provisional key', async () => {
    const provisioned = await harness.request('POST', '/v1/auth/provision', { ip: '10.9.8.7' });
    for (const [path, json] of [
      ['checkout', { amount_usd: 10 }],
      ['portal', {}],
    ] as const)
      expect(
        await harness.request('POST', `/v1/billing/${path}`, { key: provisioned.body.api_key, json }),
      ).toMatchObject({ status: 403, body: { error: { code: 'CLAIM_REQUIRED' } } });
  });

  it('for a team is reserved for its owner and admins', async () => {
    const owner = await harness.person();
    const member = await harness.person();
    const team = await harness.team(owner.userId, 'buyers', 0n);
    await harness.runtime
      .sql`insert into memberships (account_id, user_id, role) values (${team}, ${member.userId}, 'member')`;
    const outsider = await harness.person();
    expect((await buy(member.key, { amount_usd: 10, billing: 'buyers' })).status).toBe(403);
    expect((await buy(outsider.key, { amount_usd: 10, billing: 'buyers' })).status).toBe(403);
    const { body } = await buy(owner.key, { amount_usd: 10, billing: 'buyers' });
    await reconcilePayment(harness.runtime, payments, payments.complete(`cs_${body.order_id}`));
    const balance = await harness.request('GET', '/v1/billing/balance', { key: member.key });
    expect(balance.body.accounts).toContainEqual(
      expect.objectContaining({ slug: 'buyers', role: 'member', available_usd: 10 }),
    );
    expect(balance.body.available_usd).toBe(0);
  });

  it('is answered 503 if the provider is unavailable, and can be sent again @E11', async () => {
    const { key } = await harness.person();
    const away = Object.create(payments, {
      createCheckout: { value: () => Promise.reject(new PaymentsUnavailable('down')) },
    });
    const other = await startHarness({ peer: harness, ports: { payments: away } });
    try {
      const ask = () =>
        other.request('POST', '/v1/billing/checkout', {
          key,
          json: { amount_usd: 10 },
          headers: { 'idempotency-key': 'away' },
        });
      const refused = await ask();
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
      expect(refused.headers['retry-after']).toBe('5');
      expect((await buy(key, { amount_usd: 10 }, { 'idempotency-key': 'away' })).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('saves the card only if the buyer agreed', async () => {
    for (const agreed of [true, false]) {
      const { key } = await harness.person();
      const { body } = await buy(key, { amount_usd: 10, save_card: agreed });
      const paymentId = payments.complete(`cs_${body.order_id}`);
      const [profile] = await harness.runtime.sql<{ customer_id: string }[]>`
        select p.customer_id from payment_profiles p join orders o using (account_id) where o.id = ${body.order_id}`;
      Object.assign(payments.objects(paymentId), { customerId: profile?.customer_id, card: CARD });
      await reconcilePayment(harness.runtime, payments, paymentId);
      const preferences = await harness.request('GET', '/v1/billing/preferences', { key });
      expect(preferences.body.saved_card).toEqual(
        agreed ? { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 } : null,
      );
    }
  });
});

describe('an order', () => {
  it('reports the true state to a waiting page, even without any event', async () => {
    const person = await harness.person();
    const { body } = await buy(person.key, { amount_usd: 10 });
    const status = async (to = 'open') => {
      await expect
        .poll(async () => (await getOrder(harness.runtime, viewer(person), body.order_id)).status)
        .toBe(to);
      return await getOrder(harness.runtime, viewer(person), body.order_id);
    };
    expect(await status('open')).toMatchObject({ url: body.url, available_usd: 0 });
    const paymentId = payments.complete(`cs_${body.order_id}`, 'pending');
    await status('processing');
    payments.objects(paymentId).status = 'paid';
    expect(await status('paid')).toMatchObject({ available_usd: 10, payment_id: paymentId, url: null });
  });

  it('of another user is not found', async () => {
    const person = await harness.person();
    const { body } = await buy(person.key, { amount_usd: 10 });
    const outsider = await harness.person();
    await expect(getOrder(harness.runtime, viewer(outsider), body.order_id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('that was paid without an event is found by the sweep, and an unpaid one expires', async () => {
    const { runtime } = harness;
    const person = await harness.person();
    const paid = await buy(person.key, { amount_usd: 10 });
    const left = await buy(person.key, { amount_usd: 20 });
    payments.complete(`cs_${paid.body.order_id}`);
    const session = payments.sessions.get(`cs_${left.body.order_id}`);
    if (session) session.state = 'expired';
    await runtime.sql`update orders set created_at = created_at - interval '5 minutes'`;
    await catchUpCheckouts(runtime, new AbortController().signal);
    expect(await fetchBalance(person.key)).toBe(10);
    const orders = await runtime.sql`
      select status from orders where account_id = ${person.accountId} order by credits_microusd`;
    expect(orders).toEqual([{ status: 'paid' }, { status: 'expired' }]);
  });
});

describe('the webhook', () => {
  const secret = 'whsec_test';
  const stripe = createStripePayments({ mode: 'test', secretKey: 'sk_test_x', webhookSecret: secret });
  const signer = new Stripe('sk_test_x').webhooks;
  const send = (payload: string, header: string | null) => {
    const signed = Object.create(payments, { readEvent: { value: stripe.readEvent } });
    const headers = header === null ? {} : { 'stripe-signature': header };
    const request = new Request('http://gateway.test/api/stripe/webhook', {
      method: 'POST',
      body: payload,
      headers,
    });
    const runtime = { ...harness.runtime, ports: { ...harness.runtime.ports, payments: signed } };
    return handlePaymentWebhook(request, runtime);
  };
  const eventAbout = (paymentId: string, type = 'payment_intent.succeeded') =>
    JSON.stringify({
      id: `evt_${paymentId}_${type}`,
      object: 'event',
      type,
      livemode: false,
      created: 1_790_000_000,
      data: { object: { object: 'payment_intent', id: paymentId } },
    });
  const header = (payload: string, ageSeconds = 0, scheme = 'v1') =>
    signer.generateTestHeaderString({
      payload,
      secret,
      scheme,
      timestamp: Math.floor(Date.now() / 1000) - ageSeconds,
    });

  it('refuses events with an invalid or old signature, and changes nothing @A10', async () => {
    const { key } = await harness.person();
    const { body } = await buy(key, { amount_usd: 10 });
    const payload = eventAbout(payments.complete(`cs_${body.order_id}`));
    const rewritten = JSON.stringify(JSON.parse(payload), null, 1);
    for (const [text, signature] of [
      [payload, null],
      [payload, 't=1,v1=00'],
      [payload, header(payload, 301)],
      [payload, header(payload, 0, 'v0')],
      [rewritten, header(payload)],
    ] as const)
      expect((await send(text, signature)).status).toBe(400);
    expect(await fetchBalance(key)).toBe(0);
    expect((await send(payload, header(payload, 290))).status).toBe(200);
    expect(await fetchBalance(key)).toBe(10);
  });

  it('credits once for twenty concurrent deliveries or another one days later @A6', async () => {
    const { key } = await harness.person();
    const { body } = await buy(key, { amount_usd: 10 });
    const payload = eventAbout(payments.complete(`cs_${body.order_id}`));
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(payload, header(payload))));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { sql } = harness.runtime;
    const { id } = JSON.parse(payload);
    // Days later, when its record is gone, and under another id: the payment itself counts once.
    await sql`delete from payment_events where id = ${id}`;
    expect((await send(payload, header(payload))).status).toBe(200);
    const another = payload.replace(id, `${id}_again`);
    const more = await Promise.all(Array.from({ length: 5 }, () => send(another, header(another))));
    expect(more.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await fetchBalance(key)).toBe(10);
    const entries = await sql`select amount_microusd as amount from ledger_entries where kind = 'purchase'
      and account_id = (select account_id from orders where id = ${body.order_id})`;
    expect(entries).toEqual([{ amount: 10_000_000n }]);
  });

  it('acknowledges unknown events, and logs them', async () => {
    const payload = JSON.stringify({
      id: 'evt_strange',
      object: 'event',
      type: 'something.new',
      livemode: false,
      created: 1,
      data: { object: { object: 'something', id: 'x' } },
    });
    expect((await send(payload, header(payload))).status).toBe(200);
    expect(harness.log.some((line) => line.includes('something.new'))).toBe(true);
  });

  it('requests another delivery while the provider is unavailable', async () => {
    const { key } = await harness.person();
    const { body } = await buy(key, { amount_usd: 10 });
    const payload = eventAbout(payments.complete(`cs_${body.order_id}`));
    payments.beforeFind = () => Promise.reject(new PaymentsUnavailable('down'));
    expect((await send(payload, header(payload))).status).toBe(503);
    payments.beforeFind = async () => undefined;
    expect((await send(payload, header(payload))).status).toBe(200);
    expect(await fetchBalance(key)).toBe(10);
  });
});
