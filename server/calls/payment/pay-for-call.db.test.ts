import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  buildToken,
  comparable,
  FAILING,
  listBooks,
  payCall,
  requestCall,
  SPEND,
} from '@/test/support/paid-call-client';
import { fromBase64url, sandboxProof } from '@/test/support/payment-client';
import { DECLINED_TOKEN, TokenPayments } from '@/test/support/token-payments';
import { reconcilePayment } from '../../money/payments/reconcile-payment';
import { reconcile } from '../../money/reconcile/reconcile';
import { withoutReplayedHint } from '../testing/replayed-hint';

/** Both processes share one provider. */
const payments = new TokenPayments();
const secret = 'the same secret in every process of it';
const env = { PAY_PER_CALL: '1', STRIPE_FAKE: '1', AUTH_SECRET: secret, CLAIM_SECRET: `${secret}, too` };
let one: Harness;
let two: Harness;
let off: Harness;
beforeAll(async () => {
  one = await startHarness({ fakeStripe: true, ports: { payments }, env, role: 'command' });
  two = await startHarness({ fakeStripe: true, ports: { payments }, env, role: 'command', peer: one });
  off = await startHarness({
    fakeStripe: true,
    ports: { payments },
    env: { ...env, PAY_PER_CALL: '0' },
    role: 'command',
    peer: one,
  });
});
afterAll(async () => {
  const { differences } = await reconcile(one.runtime);
  await off.close();
  await two.close();
  await one.close();
  expect(differences).toEqual([]);
});
afterEach(() => {
  payments.fault = 'none';
  payments.before = async () => undefined;
});

const listCharges = (orderId: string) => payments.charges.filter((charge) => charge.orderId === orderId);
const fetchBalance = async (key: string) =>
  (await one.request('GET', '/v1/billing/balance', { key })).body.available_usd;
const countRows = async () => {
  const [row] = await one.runtime.sql`select (select count(*)::int from accounts) as accounts,
    (select count(*)::int from api_keys) as keys, (select count(*)::int from orders) as orders,
    (select count(*)::int from rate_windows) as windows`;
  return row;
};

describe('a paid call without a key', () => {
  it('is 401 as before while paying per call is off', async () => {
    expect(await off.request('POST', '/v1/tools/call', { json: SPEND })).toMatchObject({
      status: 401,
      body: { error: { code: 'AUTH_REQUIRED' } },
    });
    const { sandbox } = await requestCall(one);
    expect(await payCall(off, sandbox, sandboxProof(sandbox))).toMatchObject({ status: 401 });
  });

  it('is 402 with a challenge per method: the price, at least a dollar, and the fee; it stores nothing @A28', async () => {
    const before = await countRows();
    const { answer, stripe, sandbox } = await requestCall(one);
    expect(answer).toMatchObject({
      status: 402,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      body: { type: 'https://paymentauth.org/problems/payment-required', challengeId: stripe.id },
    });
    for (const { request, digest } of [stripe, sandbox]) {
      expect(fromBase64url(request ?? '')).toMatchObject({ amount: '180', currency: 'usd' });
      expect(digest).toBeUndefined();
    }
    expect(await countRows()).toEqual(before);
  });

  it('asks for a key where there is nothing to pay, and refuses what could not run', async () => {
    const send = async (call: object) => {
      const { status, body } = await one.request('POST', '/v1/tools/call', { json: call });
      return [status, body.error?.code];
    };
    const free = { tool: 'math', skill: 'evaluate', input: { expression: '1' } };
    expect(await send(free)).toEqual([401, 'AUTH_REQUIRED']);
    expect(await send({ ...SPEND, dry_run: true })).toEqual([401, 'AUTH_REQUIRED']);
    expect(await send({ ...SPEND, tool: 'none' })).toEqual([404, 'TOOL_NOT_FOUND']);
    expect(await send({ ...SPEND, input: { amount_usd: 2 } })).toEqual([400, 'INVALID_INPUT']);
    expect(await send({ ...SPEND, billing: 'team' })).toEqual([403, 'FORBIDDEN']);
    const batch = await one.request('POST', '/v1/tools/batch', { json: { calls: [SPEND] } });
    expect(batch.status).toBe(401);
  });
});

describe('a call that is paid for', () => {
  it('may name a quote that its client was given, and runs once it is paid, even later @F33', async () => {
    const spend = { ...SPEND, input: { amount_usd: 0.3 } };
    const refused = await one.request('POST', '/v1/tools/call', { json: { ...spend, max_cost_usd: 0.1 } });
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'COST_LIMIT_EXCEEDED' } } });
    const call = { ...spend, quote_id: refused.body.error.quote.id };
    const { stripe, orderId } = await requestCall(one, call);
    payments.fault = 'down';
    expect((await payCall(one, stripe, buildToken(stripe), { call })).status).toBe(503);
    payments.fault = 'none';
    const later = Date.now() + 3_600_000;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => later);
    const paid = await payCall(two, stripe, buildToken(stripe), { call });
    clock.mockRestore();
    expect(paid).toMatchObject({ status: 200, body: { usage: { cost: 0.3, credits_remaining: 0.7 } } });
    expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [true] });
  });

  it('is not charged if its price has risen since the challenge @F33', async () => {
    const { tools } = one.runtime;
    const { sandbox } = await requestCall(one);
    const { skill } = tools.getSkill(SPEND.tool, SPEND.skill);
    const raised = vi
      .spyOn(skill.price, 'quote')
      .mockReturnValue({ platformFee: 2_000_000n, providerCost: 0n });
    const refused = await payCall(one, sandbox, sandboxProof(sandbox));
    raised.mockRestore();
    expect(refused).toMatchObject({ status: 402, body: { detail: expect.stringContaining('has risen') } });
    expect(await payCall(one, sandbox, sandboxProof(sandbox))).toMatchObject({ status: 200 });
  });

  it('answers with the result, the receipt, and a key that holds the rest', async () => {
    const { sandbox, orderId } = await requestCall(one);
    const paid = await payCall(one, sandbox, sandboxProof(sandbox));
    expect(paid).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'private, no-store', ratelimit: expect.any(String) },
      body: {
        status: 'success',
        usage: { cost: 0.1, credits_remaining: 0.9 },
        api_key: expect.stringMatching(/^tg_live_[0-9A-Za-z]{38}$/),
        claim_url: expect.stringMatching(/^http:\/\/gateway\.test\/claim\?token=clm_/),
      },
    });
    expect(fromBase64url(paid.headers['payment-receipt'] ?? '')).toMatchObject({
      method: 'sandbox',
      status: 'success',
      reference: `sandbox_${orderId}`,
    });
    const { api_key: key } = paid.body;
    const again = await one.request('POST', '/v1/tools/call', { key, json: SPEND });
    expect(again).toMatchObject({ status: 200, body: { usage: { credits_remaining: 0.8 } } });
    expect(again.body.api_key).toBeUndefined();
    const topup = await one.request('POST', '/v1/billing/machine-topup', { key, json: { amount_usd: 5 } });
    expect(topup).toMatchObject({ status: 403, body: { error: { code: 'CLAIM_REQUIRED' } } });
  });

  it('has a signed receipt of its cost on request, also when it is repeated', async () => {
    const { sandbox } = await requestCall(one);
    const headers = { prefer: 'receipt' };
    for (let i = 0; i < 2; i++) {
      const paid = await payCall(one, sandbox, sandboxProof(sandbox), { headers });
      expect(paid.headers['gateway-receipt']).toBe(paid.body.receipt);
      expect(fromBase64url(paid.body.receipt.split('.')[1])).toMatchObject({
        jti: paid.body.id,
        cost_microusd: 100_000,
      });
    }
  });

  it('returns no key if nothing is left', async () => {
    const call = { ...SPEND, input: { amount_usd: 1 } };
    const { sandbox } = await requestCall(one, call);
    const paid = await payCall(one, sandbox, sandboxProof(sandbox), { call });
    expect(paid).toMatchObject({ status: 200, body: { usage: { cost: 1, credits_remaining: 0 } } });
    expect(paid.body).not.toHaveProperty('api_key');
  });

  it.each(['stripe', 'sandbox'] as const)(
    'is charged once and runs once for ten at once in two processes, with one answer: %s @A27',
    async (method) => {
      payments.before = () => new Promise((done) => setTimeout(done, 50));
      const { orderId, ...offer } = await requestCall(one);
      const payload = method === 'stripe' ? buildToken(offer.stripe) : sandboxProof(offer.sandbox);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => payCall(n % 2 ? two : one, offer[method], payload)),
      );
      const [first] = answers.map(comparable);
      expect(first).toMatchObject({ status: 200, body: { usage: { credits_remaining: 0.9 } } });
      expect(answers.map(comparable)).toEqual(Array(10).fill(first));
      expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(9);
      expect(listCharges(orderId)).toHaveLength(method === 'stripe' ? 1 : 0);
      expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [true] });
      expect(await fetchBalance(first?.body.api_key)).toBe(0.9);
    },
  );

  it('keeps the whole payment on the key if its handler fails, and its repeats fail alike', async () => {
    const { sandbox, orderId } = await requestCall(one, FAILING);
    const send = () => payCall(one, sandbox, sandboxProof(sandbox), { call: FAILING });
    const failed = await send();
    expect(failed).toMatchObject({
      status: 502,
      body: {
        error: {
          code: 'HANDLER_ERROR',
          billed: false,
          api_key: expect.stringMatching(/^tg_live_/),
          claim_url: expect.stringContaining('/claim?token='),
        },
      },
    });
    expect(failed.headers['payment-receipt']).toBeUndefined();
    expect(withoutReplayedHint(comparable(await send()))).toEqual(comparable(failed));
    expect(await fetchBalance(failed.body.error.api_key)).toBe(1);
    expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [false] });
  });

  it('is answered with its job and the key that polls it, if it takes long', async () => {
    const { sandbox } = await requestCall(one);
    const options = { headers: { prefer: 'wait=0' } };
    const pending = await payCall(one, sandbox, sandboxProof(sandbox), options);
    expect(pending).toMatchObject({ status: 202, body: { status: 'pending', api_key: expect.any(String) } });
    const { api_key: key, job_id: id } = pending.body;
    expect(await one.request('GET', `/v1/jobs/${id}`, { key })).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    });
    expect(comparable(await payCall(one, sandbox, sandboxProof(sandbox), options))).toEqual(
      comparable(pending),
    );
  });

  it('moves to a person with claim_url; a refund then takes its credit back there @A29', async () => {
    const { stripe, orderId } = await requestCall(one);
    const { body } = await payCall(one, stripe, buildToken(stripe));
    const person = await one.person(5_000_000n);
    const token = new URL(body.claim_url).searchParams.get('token');
    const claimed = await one.request('POST', '/v1/auth/claim', { key: person.key, json: { token } });
    expect(claimed).toMatchObject({ status: 200, body: { credits_moved_usd: 0.9 } });
    expect(await fetchBalance(body.api_key)).toBe(5.9);
    const [moved] = await one.runtime.sql`select o.account_id, p.account_id as paid from orders o
      join payments p on p.order_id = o.id where o.id = ${orderId}`;
    expect(moved).toEqual({ account_id: person.accountId, paid: person.accountId });
    const repeat = await payCall(two, stripe, buildToken(stripe));
    expect(repeat).toMatchObject({ status: 200, body: { id: body.id, api_key: body.api_key } });

    const [charge] = listCharges(orderId);
    const facts = await payments.findPayment(charge?.id ?? '');
    const find = vi
      .spyOn(payments, 'findPayment')
      .mockResolvedValue(facts && { ...facts, refundedCents: 180 });
    await reconcilePayment(one.runtime, payments, charge?.id ?? '').finally(() => find.mockRestore());
    expect(await fetchBalance(person.key)).toBe(4.9);
  });
});

describe('a payment that does not pay', () => {
  it('for another call is refused with a challenge for that call @A28', async () => {
    const { sandbox, orderId } = await requestCall(one);
    const call = { ...SPEND, input: { amount_usd: 0.2 } };
    const refused = await payCall(one, sandbox, sandboxProof(sandbox), { call });
    expect(refused).toMatchObject({
      status: 402,
      body: { type: 'https://paymentauth.org/problems/invalid-challenge' },
    });
    expect(refused.body.challengeId).not.toBe(sandbox.id);
    expect(await listBooks(one, orderId)).toEqual({ credits: 0, calls: [] });
  });

  it('with a wrong proof, a changed challenge, or one of a top-up is refused and stores nothing @A28', async () => {
    const { sandbox } = await requestCall(one);
    const before = await countRows();
    const { key } = await one.person();
    const topup = await one.request('POST', '/v1/billing/machine-topup', { key, json: { amount_usd: 5 } });
    const [foreign = {}] = [topup.headers['www-authenticate']].map((header) =>
      Object.fromEntries(
        [...(header ?? '').matchAll(/([a-z]+)="([^"]*)"/g)].slice(-8).map(([, n, v]) => [n, v]),
      ),
    );
    const sent = [
      await payCall(one, sandbox, { proof: 'ab' }),
      await payCall(one, { ...sandbox, expires: '2099-01-01T00:00:00.000Z' }, sandboxProof(sandbox)),
      await payCall(one, foreign, sandboxProof(foreign)),
    ];
    expect(sent.map(({ status }) => status)).toEqual([402, 402, 402]);
    const after = await countRows();
    expect(after).toEqual({
      ...before,
      accounts: before?.accounts + 1,
      keys: before?.keys + 1,
      orders: before?.orders + 1,
    });
  });

  it('after the challenge has expired is refused without a charge', async () => {
    const { sandbox, orderId } = await requestCall(one);
    const { clock } = one.runtime.ports;
    const { now } = clock;
    clock.now = () => new Date(now().getTime() + 601_000);
    const late = await payCall(one, sandbox, sandboxProof(sandbox)).finally(() => {
      clock.now = now;
    });
    expect(late).toMatchObject({
      status: 402,
      body: { type: 'https://paymentauth.org/problems/payment-expired' },
    });
    expect(await one.runtime.sql`select 1 from orders where id = ${orderId}`).toHaveLength(0);
  });

  it('by a declined card leaves no credit, and the second method of its offer cannot pay it', async () => {
    const { stripe, sandbox, orderId } = await requestCall(one);
    const declined = await payCall(one, stripe, { spt: DECLINED_TOKEN });
    expect(declined).toMatchObject({
      status: 402,
      body: { type: 'https://paymentauth.org/problems/verification-failed' },
    });
    expect((await payCall(one, sandbox, sandboxProof(sandbox))).status).toBe(402);
    expect(await listBooks(one, orderId)).toEqual({ credits: 0, calls: [] });
  });

  it('is limited per network, and only while it stays unpaid @A28', async () => {
    const ip = '203.0.113.7';
    const { sql } = one.runtime;
    const paid = await requestCall(one);
    await payCall(one, paid.sandbox, sandboxProof(paid.sandbox), { ip });
    const [window] = await sql`select subject, used from rate_windows where scope = 'paid-call'
      order by started_at desc limit 1`;
    expect(window?.used).toBe(0);
    await sql`update rate_windows set used = 100 where scope = 'paid-call' and subject = ${window?.subject}`;
    const next = await requestCall(one);
    const refused = await payCall(one, next.sandbox, sandboxProof(next.sandbox), { ip });
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
    expect((await payCall(one, next.sandbox, sandboxProof(next.sandbox))).status).toBe(200);
  });
});
