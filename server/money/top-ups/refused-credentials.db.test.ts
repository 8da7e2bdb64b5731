import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Harness, startHarness } from '@/test/support/harness';
import {
  base64url,
  paymentHeader,
  readChallenges,
  requestTopup,
  sandboxProof,
  sendPayment,
  type TestChallenge,
  TOPUP_PATH,
} from '@/test/support/payment-client';
import { createSessionActor } from '@/test/support/session-actor';
import { ACTION_TOKEN, TokenPayments } from '@/test/support/token-payments';
import { setFrozen } from '../../identity/accounts/freeze-account';
import { deleteAccount } from '../../lifecycle/delete-account';

const PROBLEMS = 'https://paymentauth.org/problems/';
const payments = new TokenPayments();
let harness: Harness;
let key: string;
let accountId: string;
beforeAll(async () => {
  harness = await startHarness({
    fakeStripe: true,
    ports: { payments },
    env: { MACHINE_PAYMENTS_SANDBOX: '1' },
  });
});
afterAll(() => harness.close());

/** A new person per test, so that refusals of one test do not count in another's hour. */
const newPerson = async () => {
  ({ key, accountId } = await harness.person());
};
beforeAll(newPerson);
const sendRaw = (authorization: string, json: unknown = { amount_usd: 5 }) =>
  harness.request('POST', TOPUP_PATH, { json, headers: { authorization } });
const available = async () =>
  (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;

/** Expects a refusal without a charge, and a new challenge that can be paid. */
const expectFresh = async (answer: Answer, type: string, old: TestChallenge, amountUsd = 5) => {
  expect(answer).toMatchObject({
    status: 402,
    headers: { 'cache-control': 'no-store', 'content-type': 'application/problem+json' },
    body: { type: PROBLEMS + type, status: 402 },
  });
  expect(answer.headers['payment-receipt']).toBeUndefined();
  const [stripe, sandbox = {}] = readChallenges(answer.headers['www-authenticate']);
  expect(answer.body.challengeId).toBe(stripe?.id);
  expect([stripe?.id, sandbox.id]).not.toContain(old.id);
  expect(stripe?.opaque).not.toBe(old.opaque);
  const before = await available();
  const paid = await sendPayment(harness, sandbox, sandboxProof(sandbox), { amountUsd });
  expect(paid.status).toBe(200);
  expect(await available()).toBe(before + amountUsd);
};

describe('a credential that differs from the offer pays nothing and leads to a fresh challenge', () => {
  it('for another amount than its body: 1 dollar does not buy 500 @A13', async () => {
    const { stripe, topupId } = await requestTopup(harness, key, 1);
    const raised = await sendPayment(harness, stripe, { spt: 'spt_test_one' }, { amountUsd: 500 });
    expect(payments.charges.filter(({ orderId }) => orderId === topupId)).toEqual([]);
    await expectFresh(raised, 'invalid-challenge', stripe, 500);
  });

  it('for another spelling of its body @A13', async () => {
    const { sandbox } = await requestTopup(harness, key);
    const answer = await harness.request('POST', TOPUP_PATH, {
      raw: '{"amount_usd": 5}',
      headers: paymentHeader(sandbox, sandboxProof(sandbox)),
    });
    expect(answer).toMatchObject({ status: 402, body: { type: `${PROBLEMS}invalid-challenge` } });
  });

  it('after it has expired @A13', async () => {
    const { sandbox, topupId } = await requestTopup(harness, key);
    await harness.runtime
      .sql`update orders set expires_at = now() - interval '1 second' where id = ${topupId}`;
    const send = () => sendPayment(harness, sandbox, sandboxProof(sandbox));
    await expectFresh(await send(), 'payment-expired', sandbox);
    await harness.runtime
      .sql`update orders set status = 'expired', finished_at = now() where id = ${topupId}`;
    await expectFresh(await send(), 'payment-expired', sandbox);
  });

  it('with a wrong proof, and the right one still pays', async () => {
    const { sandbox } = await requestTopup(harness, key);
    for (const proof of ['', 'zz', 'ab'.repeat(32), sandboxProof({ id: 'other' }).proof]) {
      const answer = await sendPayment(harness, sandbox, { proof });
      expect(answer).toMatchObject({ status: 402, body: { type: `${PROBLEMS}verification-failed` } });
    }
    expect((await sendPayment(harness, sandbox, sandboxProof(sandbox))).status).toBe(200);
  });

  it.each([
    [null],
    [{}],
    [{ spt: '' }],
    [{ spt: 5 }],
    [{ spt: 'x'.repeat(256) }],
    [{ proof: 'x' }],
    ['spt_1'],
  ])('with the payload %j', async (payload) => {
    const { stripe } = await requestTopup(harness, key);
    await expectFresh(await sendPayment(harness, stripe, payload), 'invalid-payload', stripe);
  });

  it("with a card that requires a person's confirmation", async () => {
    const { stripe } = await requestTopup(harness, key);
    const answer = await sendPayment(harness, stripe, { spt: ACTION_TOKEN });
    await expectFresh(answer, 'payment-action-required', stripe);
  });

  it('if any of its parameters was changed, added or removed @A13', async () => {
    await newPerson();
    const { sandbox } = await requestTopup(harness, key);
    const { sandbox: other } = await requestTopup(harness, key, 7);
    const cheap = base64url({ amount: '1', currency: 'usd' });
    const changes: [string, TestChallenge][] = [
      ['id', { ...sandbox, id: other.id ?? '' }],
      ['realm', { ...sandbox, realm: 'evil.example' }],
      ['request', { ...sandbox, request: cheap }],
      ['a request of another', { ...sandbox, request: other.request ?? '' }],
      ['expires', { ...sandbox, expires: '2099-01-01T00:00:00.000Z' }],
      ['digest', { ...sandbox, digest: other.digest ?? '' }],
      ['opaque', { ...sandbox, opaque: other.opaque ?? '' }],
      ['a credential field', { ...sandbox, header: 'Payment-Authorization' }],
      ['no expires', without(sandbox, 'expires')],
      ['no digest', without(sandbox, 'digest')],
    ];
    for (const [what, challenge] of changes) {
      const answer = await sendPayment(harness, challenge, sandboxProof(challenge));
      expect([what, answer.status, answer.body.type]).toEqual([what, 402, `${PROBLEMS}invalid-challenge`]);
      expect(readChallenges(answer.headers['www-authenticate'])).toHaveLength(2);
    }
    expect(await available()).toBe(0);
    expect((await sendPayment(harness, sandbox, sandboxProof(sandbox))).status).toBe(200);
  });

  it('if a challenge is paid by another method, or names the order of another account @A13', async () => {
    await newPerson();
    const outsider = await harness.person();
    const { stripe, sandbox, topupId } = await requestTopup(harness, key);
    const foreign = await requestTopup(harness, outsider.key);
    const attacks: [string, TestChallenge, unknown][] = [
      // A proof costs nothing: the challenge of the card must not be paid by one.
      ['card as sandbox', { ...stripe, method: 'sandbox' }, sandboxProof(stripe)],
      [
        'card as sandbox, with its request',
        { ...stripe, method: 'sandbox', request: sandbox.request ?? '' },
        sandboxProof(stripe),
      ],
      ['sandbox as card', { ...sandbox, method: 'stripe' }, { spt: 'spt_test_swapped' }],
      ['order of another', { ...sandbox, opaque: foreign.sandbox.opaque ?? '' }, sandboxProof(sandbox)],
      ['id of another', { ...sandbox, id: foreign.sandbox.id ?? '' }, sandboxProof(foreign.sandbox)],
    ];
    for (const [what, challenge, payload] of attacks) {
      const answer = await sendPayment(harness, challenge, payload);
      expect([what, answer.status, answer.body.type]).toEqual([what, 402, `${PROBLEMS}invalid-challenge`]);
    }
    expect(
      payments.charges.some(({ orderId, token }) => orderId === topupId || token === 'spt_test_swapped'),
    ).toBe(false);
    expect(await available()).toBe(0);
    expect(
      (await harness.request('GET', '/v1/billing/balance', { key: outsider.key })).body.available_usd,
    ).toBe(0);
  });

  it('for every change of one character of one parameter @A13', async () => {
    await newPerson();
    const { sandbox, answer } = await requestTopup(harness, key);
    expect(answer.status).toBe(402);
    const names = Object.keys(sandbox);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.nat(),
        fc.constantFrom('A', '0', '-', '_'),
        async (name, at, to) => {
          const value = sandbox[name] ?? '';
          const index = at % value.length;
          const changed = value.slice(0, index) + to + value.slice(index + 1);
          fc.pre(changed !== value && !(name === 'request' && sameBytes(changed, value)));
          const challenge = { ...sandbox, [name]: changed };
          const { status } = await sendPayment(harness, challenge, sandboxProof(challenge));
          // 429 once its hour of unpaid offers is full.
          expect([400, 401, 402, 429]).toContain(status);
          expect(await available()).toBe(0);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('is offered half as often without a key as with one, so that the owner cannot be locked out', async () => {
    await newPerson();
    const { sandbox } = await requestTopup(harness, key);
    const sendAtOnce = (count: number) =>
      Promise.all(Array.from({ length: count }, () => sendPayment(harness, sandbox, { proof: '00' })));
    // They wait for each other in the database, where no request may wait for more than 10 s.
    for (let sent = 0; sent < 40; sent += 10)
      for (const { status } of await sendAtOnce(10)) expect(status).toBe(402);
    const answers = await sendAtOnce(20);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(9);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(11);
    expect((await requestTopup(harness, key)).answer.status).toBe(402);
    expect((await sendPayment(harness, sandbox, sandboxProof(sandbox))).status).toBe(200);
  });
});

describe('a credential that leads to no account', () => {
  it.each([
    ['invalid base64url', 'Payment !!!!'],
    ['invalid JSON', `Payment ${Buffer.from('{').toString('base64url')}`],
    ['no challenge', `Payment ${base64url({})}`],
    ['null', `Payment ${base64url(null)}`],
    ['a list', `Payment ${base64url([])}`],
    ['no parameters', `Payment ${base64url({ challenge: {}, payload: {} })}`],
    ['an invalid request', `Payment ${base64url({ challenge: { request: 'x' }, payload: {} })}`],
    ['a deep request', `Payment ${base64url({ challenge: deep(), payload: {} })}`],
    ['two words', 'Payment a b'],
  ])('is answered 401 to request a key: %s', async (_, authorization) => {
    const answer = await sendRaw(authorization);
    expect(answer).toMatchObject({ status: 401, body: { status: 'error', error: { type: 'auth' } } });
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="gateway"/);
  });

  it('is answered 401 also if its order is unknown or malformed', async () => {
    const { sandbox } = await requestTopup(harness, key);
    for (const topup of [`topup_${'0'.repeat(26)}`, 'topup_\u0000', "topup_' or 1=1", '', 5]) {
      const challenge = { ...sandbox, opaque: base64url({ topup }) };
      const answer = await sendPayment(harness, challenge, sandboxProof(challenge));
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'AUTH_REQUIRED' } } });
    }
  });

  it('never causes an internal error, whatever is sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.base64String()), async (text) => {
        const word = text.replace(/[^\x21-\x7e]/g, '') || 'x';
        for (const credential of [word, Buffer.from(text).toString('base64url')])
          expect([400, 401]).toContain((await sendRaw(`Payment ${credential}`)).status);
      }),
      { numRuns: 20 },
    );
  });

  it('is refused on every other route @B14', async () => {
    const { sandbox } = await requestTopup(harness, key);
    const headers = paymentHeader(sandbox, sandboxProof(sandbox));
    const answer = await harness.request('GET', '/v1/billing/balance', { headers });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'AUTH_FAILED' } } });
  });
});

describe('a credential is refused before any charge', () => {
  it('with 400 if its method is not offered', async () => {
    const { sandbox } = await requestTopup(harness, key);
    const changes: TestChallenge[] = [{ method: 'tempo' }, { intent: 'session' }];
    for (const change of changes) {
      const answer = await sendPayment(harness, { ...sandbox, ...change }, {});
      expect(answer).toMatchObject({
        status: 400,
        headers: { 'content-type': 'application/problem+json' },
        body: { type: `${PROBLEMS}method-unsupported`, status: 400 },
      });
    }
  });

  it('if its body is not valid', async () => {
    const { sandbox } = await requestTopup(harness, key);
    const answer = await sendPayment(harness, sandbox, sandboxProof(sandbox), { amountUsd: 501 });
    expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'amount_usd' }] } } });
  });

  it('if the account is frozen, or one of its payments is disputed', async () => {
    await newPerson();
    const { stripe } = await requestTopup(harness, key);
    const { sql } = harness.runtime;
    await setFrozen(harness.runtime, 'operator:test', { accountId, frozen: true, reason: null });
    const answer = await sendPayment(harness, stripe, { spt: 'spt_test_frozen' });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    await sql`update accounts set frozen_at = null, disputed_at = now() where id = ${accountId}`;
    expect((await sendPayment(harness, stripe, { spt: 'spt_test_frozen' })).status).toBe(403);
    expect(payments.charges.some(({ token }) => token === 'spt_test_frozen')).toBe(false);
    await sql`update accounts set disputed_at = null where id = ${accountId}`;
    expect((await sendPayment(harness, stripe, { spt: 'spt_test_frozen' })).status).toBe(200);
  });

  it('if the account was deleted: the client has to send another key @A13', async () => {
    const person = await harness.person();
    const { stripe, sandbox, topupId } = await requestTopup(harness, person.key);
    await deleteAccount(harness.runtime, createSessionActor(person));
    for (const [challenge, payload] of [
      [stripe, { spt: 'spt_test_deleted' }],
      [sandbox, sandboxProof(sandbox)],
    ] as const) {
      const answer = await sendPayment(harness, challenge, payload);
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'AUTH_REQUIRED' } } });
      expect(answer.body.error.message).toContain('closed');
    }
    const [left] = await harness.runtime.sql`select o.payment_id, a.balance_microusd as balance
      from orders o join accounts a on a.id = o.account_id where o.id = ${topupId}`;
    expect(left).toEqual({ payment_id: null, balance: 0n });
    expect(payments.charges.some(({ token }) => token === 'spt_test_deleted')).toBe(false);
  });

  it('but credits the account of the challenge, no matter which client sends it', async () => {
    await newPerson();
    const outsider = await harness.person();
    const { sandbox } = await requestTopup(harness, key);
    expect((await sendPayment(harness, sandbox, sandboxProof(sandbox))).status).toBe(200);
    expect(await available()).toBe(5);
    const { body } = await harness.request('GET', '/v1/billing/balance', { key: outsider.key });
    expect(body.available_usd).toBe(0);
  });
});

function without(challenge: TestChallenge, name: string): TestChallenge {
  const { [name]: _, ...rest } = challenge;
  return rest;
}

/** A request nested as deep as a header can hold. */
function deep(): TestChallenge {
  const request = `${'{"a":'.repeat(1200)}1${'}'.repeat(1200)}`;
  return {
    id: 'x',
    realm: 'gateway.test',
    method: 'sandbox',
    intent: 'charge',
    request: Buffer.from(request).toString('base64url'),
  };
}

/** The last character of base64url has unused bits: requests are equal if they decode equally. */
function sameBytes(a: string, b: string): boolean {
  return Buffer.from(a, 'base64url').equals(Buffer.from(b, 'base64url'));
}
