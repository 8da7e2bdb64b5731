import { validatePaymentRequired } from '@x402/core/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { SPEND } from '@/test/support/paid-call-client';
import { reconcile } from '../../money/reconcile/reconcile';
import { recoverTopups } from '../../money/top-ups/recover-topups';
import { rotateVault } from '../../operations/vault/rotate-vault';
import { createVault } from '../../platform/ports/vault';
import { FakeFacilitator } from './testing/fake-facilitator';
import { authorize, payX402, readX402Response, requestX402, type X402Payment } from './testing/x402-client';

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const facilitator = new FakeFacilitator();
let one: Harness;
let two: Harness;
beforeAll(async () => {
  await facilitator.start();
  const secret = 'the same secret in every process of it';
  const env = {
    PAY_PER_CALL: '1',
    X402_FACILITATOR_URL: facilitator.url,
    X402_PAY_TO: PAY_TO,
    AUTH_SECRET: secret,
    CLAIM_SECRET: `${secret}, too`,
    VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  one = await startHarness({ fakeStripe: true, env, role: 'command' });
  two = await startHarness({ fakeStripe: true, env, role: 'command', peer: one });
});
afterAll(async () => {
  const { differences } = await reconcile(one.runtime);
  await two.close();
  await one.close();
  await facilitator.close();
  expect(differences).toEqual([]);
});
beforeEach(() => {
  facilitator.fault = 'none';
  facilitator.repeats = 'answered';
  facilitator.invalid = null;
  facilitator.transfers.clear();
  facilitator.settled.length = 0;
});

const getOrderId = ({ accepted }: X402Payment) => String(accepted.extra?.ticket).split('.')[0] ?? '';
const findBooks = async (payment: X402Payment) => {
  const id = getOrderId(payment);
  const [row] = await one.runtime.sql`select o.status, o.sealed_payment as sealed,
    (select count(*)::int from ledger_entries e where e.account_id = o.account_id and e.kind = 'purchase') as credits,
    (select count(*)::int from usage_records u where u.account_id = o.account_id) as calls
    from orders o where o.id = ${id}`;
  return row;
};
const plain = ({ status, body, headers }: Awaited<ReturnType<typeof payX402>>) => ({
  status,
  body,
  receipt: headers['payment-response'],
});

describe('the offer of x402', () => {
  it('is in the same 402 as the challenges, valid for the official library, and exactly the price', async () => {
    const answer = await one.request('POST', '/v1/tools/call', { json: SPEND });
    expect(answer).toMatchObject({
      status: 402,
      headers: { 'www-authenticate': expect.stringContaining('Payment id=') },
    });
    const required = validatePaymentRequired(await requestX402(one));
    expect(required).toMatchObject({
      x402Version: 2,
      resource: { url: 'http://gateway.test/v1/tools/call' },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '100000',
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          payTo: PAY_TO,
          extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'eip3009' },
        },
      ],
    });
  });
});

describe('a call paid by x402', () => {
  it('is settled once and runs once for ten at once in two processes, with one answer', async () => {
    const payment = authorize(await requestX402(one));
    facilitator.before = () => new Promise((done) => setTimeout(done, 30));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => payX402(n % 2 ? two : one, payment)),
    );
    const [first] = answers;
    expect(first).toMatchObject({ status: 200, body: { usage: { cost: 0.1, credits_remaining: 0 } } });
    expect(first?.body).not.toHaveProperty('api_key');
    expect(readX402Response(first as (typeof answers)[0])).toMatchObject({
      success: true,
      network: 'eip155:8453',
      transaction: [...facilitator.transfers.values()][0]?.transaction,
      payer: (payment.payload.authorization as { from: string }).from,
    });
    expect(answers.map(plain)).toEqual(Array(10).fill(plain(first as (typeof answers)[0])));
    expect(facilitator.settled).toHaveLength(1);
    expect(facilitator.settled[0]?.paymentRequirements).toEqual(payment.accepted);
    expect(await findBooks(payment)).toEqual({ status: 'paid', sealed: null, credits: 1, calls: 1 });
  });

  it('pays whole cents, and a key holds the rest', async () => {
    const call = { ...SPEND, input: { amount_usd: 0.1015 } };
    const payment = authorize(await requestX402(one, call));
    expect(payment.accepted.amount).toBe('110000');
    const { body } = await payX402(one, payment, call);
    expect(body).toMatchObject({ usage: { credits_remaining: 0.0085 }, api_key: expect.any(String) });
  });
});

describe('an x402 payment whose settlement is lost', () => {
  it('is settled again with the same authorization by its repeat, which moves the money once @A31', async () => {
    const payment = authorize(await requestX402(one));
    facilitator.fault = 'cut';
    const lost = await payX402(one, payment);
    expect(lost).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE', retry_after: 5 } } });
    expect(lost.headers['payment-required']).toBeUndefined();
    const open = await findBooks(payment);
    expect(open).toMatchObject({ status: 'open', credits: 0, calls: 0 });
    expect(open?.sealed).toMatch(/^v1\./);
    facilitator.fault = 'none';
    expect((await payX402(two, payment)).status).toBe(200);
    expect(facilitator.transfers.size).toBe(1);
    expect(await findBooks(payment)).toEqual({ status: 'paid', sealed: null, credits: 1, calls: 1 });
  });

  it('is settled again by the sweep without the client, whose repeat then runs the call', async () => {
    const payment = authorize(await requestX402(one));
    facilitator.fault = 'cut';
    await payX402(one, payment);
    facilitator.fault = 'none';
    expect(await recoverTopups(two.runtime)).toBe(1);
    expect(await findBooks(payment)).toEqual({ status: 'paid', sealed: null, credits: 1, calls: 0 });
    expect((await payX402(one, payment)).status).toBe(200);
    expect(facilitator.transfers.size).toBe(1);
  });

  it('is settled again after the vault key was replaced', async () => {
    const payment = authorize(await requestX402(one));
    facilitator.fault = 'cut';
    await payX402(one, payment);
    facilitator.fault = 'none';
    const { vault } = one.runtime.ports;
    const next = createVault({ id: 'k2', key: Buffer.alloc(32, 8).toString('base64') }, [
      { id: 'k1', key: Buffer.alloc(32, 7).toString('base64') },
    ]);
    one.runtime.ports.vault = next;
    expect(await rotateVault(one.runtime)).toMatchObject({ resealed: 1, broken: [] });
    expect((await findBooks(payment))?.sealed).toMatch(/^v1\.k2\./);
    expect(await recoverTopups(one.runtime)).toBe(1);
    one.runtime.ports.vault = vault;
    expect(await findBooks(payment)).toMatchObject({ status: 'paid', sealed: null });
  });

  it('stays undecided, uncredited and not asked for again if the nonce is used by then @A31', async () => {
    const payment = authorize(await requestX402(one));
    facilitator.fault = 'cut';
    await payX402(one, payment);
    facilitator.fault = 'none';
    facilitator.repeats = 'refused';
    const repeat = await payX402(one, payment);
    expect(repeat.status).toBe(503);
    expect(repeat.headers['payment-required']).toBeUndefined();
    expect(await recoverTopups(one.runtime)).toBe(0);
    expect(await findBooks(payment)).toMatchObject({ status: 'open', credits: 0 });
    await one.runtime
      .sql`update orders set expires_at = now() - interval '25 hours' where id = ${getOrderId(payment)}`;
    expect(await recoverTopups(one.runtime)).toBe(0);
    expect(await findBooks(payment)).toEqual({ status: 'expired', sealed: null, credits: 0, calls: 0 });
    expect(one.log.join('')).toContain('topup.undecided');
  });
});

describe('an x402 payment that does not pay', () => {
  it('twice: one authorization pays one challenge @A31', async () => {
    const first = authorize(await requestX402(one));
    const second = authorize(await requestX402(one));
    expect((await payX402(one, first)).status).toBe(200);
    const reused = await payX402(one, { ...second, payload: first.payload });
    expect(reused).toMatchObject({
      status: 402,
      body: { type: 'https://paymentauth.org/problems/verification-failed' },
      headers: { 'payment-required': expect.any(String) },
    });
    expect(facilitator.settled).toHaveLength(1);
    expect(await findBooks(second)).toMatchObject({ credits: 0, calls: 0 });
  });

  it('for who read it on the chain: without the ticket of its offer it is refused @A31', async () => {
    const paid = authorize(await requestX402(one));
    expect((await payX402(one, paid)).status).toBe(200);
    const { accepts } = await requestX402(one);
    const extra = { ...paid.accepted.extra, ticket: `${paid.accepted.extra?.ticket}`.replace(/.$/, '-') };
    const forged = { ...paid, accepted: { ...paid.accepted, extra } };
    const fresh = { ...paid, accepted: accepts[0] as typeof paid.accepted };
    for (const payment of [forged, fresh]) {
      const answer = await payX402(one, payment);
      expect(answer.status).toBe(402);
      expect(answer.text).not.toContain('tg_live_');
    }
  });

  it('for another call, amount or payee, malformed, or refused by the facilitator stores nothing', async () => {
    const offer = await requestX402(one);
    const payment = authorize(offer);
    const accounts = async () => (await one.runtime.sql`select 1 from accounts`).length;
    const before = await accounts();
    const change = (authorization: object, accepted: object = {}): X402Payment => ({
      ...payment,
      accepted: { ...payment.accepted, ...accepted },
      payload: {
        ...payment.payload,
        authorization: { ...(payment.payload.authorization as object), ...authorization },
      },
    });
    expect((await payX402(one, payment, { ...SPEND, input: { amount_usd: 0.2 } })).status).toBe(402);
    expect((await payX402(one, change({ value: '1' }))).status).toBe(402);
    expect((await payX402(one, change({ value: '1' }, { amount: '1' }))).status).toBe(402);
    expect((await payX402(one, change({ to: `0x${'1'.repeat(40)}` }))).status).toBe(402);
    const headers = { 'payment-signature': 'e30=' };
    expect(await one.request('POST', '/v1/tools/call', { json: SPEND, headers })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_INPUT', fields: [{ path: 'PAYMENT-SIGNATURE' }] } },
    });
    facilitator.invalid = 'insufficient_funds';
    expect((await payX402(one, payment)).status).toBe(402);
    facilitator.fault = 'down';
    expect((await payX402(one, payment)).status).toBe(503);
    expect(await accounts()).toBe(before);
    expect(facilitator.settled).toHaveLength(0);
  });
});
