import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  fromBase64url,
  paymentHeader,
  readChallenges,
  requestTopup,
  sandboxProof,
  sendPayment,
  TOPUP_PATH,
} from '@/test/support/payment-client';
import { exchange } from '@/test/support/raw-socket';
import { TokenPayments } from '@/test/support/token-payments';
import { setFrozen } from '../../identity/accounts/freeze-account';
import { reconcile } from '../reconcile/reconcile';

const payments = new TokenPayments();
let harness: Harness;
let unconfigured: Harness;
beforeAll(async () => {
  harness = await startHarness({
    fakeStripe: true,
    ports: { payments },
    env: { MACHINE_PAYMENTS_SANDBOX: '1' },
  });
  unconfigured = await startHarness({ peer: harness });
});
afterAll(async () => {
  const { differences } = await reconcile(harness.runtime);
  await unconfigured.close();
  await harness.close();
  expect(differences).toEqual([]);
});

const ask = (key: string, json: unknown, headers = {}) =>
  harness.request('POST', TOPUP_PATH, { key, json, headers });
const fetchBalance = async (key: string) =>
  (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;
/** Not the runs of background jobs: the harness's own timers add them at any time. */
const countRows = async () => {
  const tables = await harness.runtime.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname <> 'background_jobs' order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await harness.runtime.sql<{ n: number }[]>`
      select count(*)::int as n from ${harness.runtime.sql(name)}`;
    counts[name] = row?.n ?? 0;
  }
  return counts;
};

describe('a top-up requested with a key', () => {
  it('returns a challenge for each method, with the fee in its amount', async () => {
    const { key } = await harness.person();
    const { answer, stripe, sandbox } = await requestTopup(harness, key);
    expect(answer).toMatchObject({
      status: 402,
      headers: { 'cache-control': 'no-store', 'content-type': 'application/problem+json' },
      body: {
        type: 'https://paymentauth.org/problems/payment-required',
        title: 'Payment Required',
        status: 402,
        detail: 'Pay 5.80 USD for 5.00 USD of credit.',
        challengeId: stripe.id,
      },
    });
    expect(readChallenges(answer.headers['www-authenticate']).map(({ method }) => method)).toEqual([
      'stripe',
      'sandbox',
    ]);
    expect(stripe).toMatchObject({
      realm: 'gateway.test',
      intent: 'charge',
      digest: 'sha-256=:40qF43zQ2b8kMLGf4dDo86BP1DB9GH8Hb7UwFY5PIvU=:',
      opaque: sandbox.opaque,
    });
    expect(fromBase64url(stripe.request ?? '')).toEqual({
      amount: '580',
      currency: 'usd',
      methodDetails: { networkId: 'profile_fake', paymentMethodTypes: ['card'] },
    });
    expect(fromBase64url(sandbox.request ?? '')).toEqual({ amount: '580', currency: 'usd' });
    expect(Date.parse(stripe.expires ?? '') - Date.now()).toBeGreaterThan(590_000);
    expect(answer.headers['payment-receipt']).toBeUndefined();
  });

  it('writes nothing but the order @A14', async () => {
    const { key, accountId, keyId } = await harness.person();
    await harness.request('GET', '/v1/billing/balance', { key });
    const before = await countRows();
    const { topupId, stripe } = await requestTopup(harness, key, 20);
    expect(await countRows()).toEqual({ ...before, orders: (before.orders ?? 0) + 1 });
    expect(fromBase64url(stripe.opaque ?? '')).toEqual({ topup: topupId });
    const [order] = await harness.runtime.sql`select * from orders where id = ${topupId}`;
    expect(order).toMatchObject({
      kind: 'machine',
      mode: 'fake',
      account_id: accountId,
      created_by: `key:${keyId}`,
      key_id: keyId,
      credits_microusd: 20_000_000n,
      fee_microusd: 1_100_000n,
      total_cents: 2110,
      status: 'open',
      attempts: 0,
      challenge_id: null,
    });
  });

  it.each([
    ['NaN', '{"amount_usd":NaN}'],
    ['1e309', '{"amount_usd":1e309}'],
    ['text', '{"amount_usd":"5"}'],
    ['true', '{"amount_usd":true}'],
    ['null', '{"amount_usd":null}'],
    ['a list', '{"amount_usd":[5]}'],
    ['nothing', '{}'],
    ['0', '{"amount_usd":0}'],
    ['-5', '{"amount_usd":-5}'],
    ['0.999', '{"amount_usd":0.999}'],
    ['500.01', '{"amount_usd":500.01}'],
    ['10.001', '{"amount_usd":10.001}'],
    ['2^53', '{"amount_usd":9007199254740992}'],
  ])('refuses the amount %s, and orders nothing', async (name, raw) => {
    const { key, accountId } = await harness.person();
    const answer = await harness.request('POST', TOPUP_PATH, { key, raw });
    expect(answer).toMatchObject({
      status: 400,
      body: { status: 'error', error: { code: 'INVALID_INPUT' } },
    });
    expect(answer.body.error.fields[0].path).toBe(name === 'NaN' ? 'body' : 'amount_usd');
    expect(await harness.runtime.sql`select 1 from orders where account_id = ${accountId}`).toHaveLength(0);
  });

  it('accepts every whole cent from 1 to 500 dollars', async () => {
    const { key } = await harness.person();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 100, max: 50_000 }), async (cents) => {
        const answer = await ask(key, { amount_usd: cents / 100 });
        expect(answer.status).toBe(402);
        const { amount } = fromBase64url(
          readChallenges(answer.headers['www-authenticate'])[0]?.request ?? '',
        );
        expect(Number(amount)).toBe(cents + Math.max(80, Math.floor(cents * 0.055 + 0.5 + 1e-9)));
      }),
      { numRuns: 8, examples: [[100], [50_000]] },
    );
  });

  it('checks the key first, then the body, then the account', async () => {
    const none = await harness.request('POST', TOPUP_PATH, { json: { amount_usd: 'x' } });
    expect(none).toMatchObject({ status: 401, body: { error: { code: 'AUTH_REQUIRED' } } });
    expect(none.headers['www-authenticate']).toBe('Bearer realm="gateway"');
    const wrong = await harness.request('POST', TOPUP_PATH, { key: 'tg_live_x', json: { amount_usd: 5 } });
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'AUTH_FAILED' } } });
    const { api_key } = (await harness.request('POST', '/v1/auth/provision')).body;
    expect((await ask(api_key, { amount_usd: 'x' })).status).toBe(400);
    const provisional = await ask(api_key, { amount_usd: 5 });
    expect(provisional).toMatchObject({ status: 403, body: { error: { code: 'CLAIM_REQUIRED' } } });
    expect(provisional.body.error.claim_url).toMatch(/^http:\/\/gateway\.test\/claim\?token=clm_/);
  });

  it('is refused to a frozen account', async () => {
    const { key, accountId } = await harness.person();
    await setFrozen(harness.runtime, 'operator:test', { accountId, frozen: true, reason: null });
    expect(await ask(key, { amount_usd: 5 })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    });
  });

  it('is refused while a payment of the account is disputed', async () => {
    const { key, accountId } = await harness.person();
    await harness.runtime.sql`update accounts set disputed_at = now() where id = ${accountId}`;
    const answer = await ask(key, { amount_usd: 5 });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(answer.body.error.message).toContain('disputed');
    await harness.runtime.sql`update accounts set disputed_at = null where id = ${accountId}`;
  });

  it("may be for a team that the key's owner may buy for, and for no other account", async () => {
    const owner = await harness.person();
    const teamId = await harness.team(owner.userId, `team-${owner.keyId.slice(-8)}`, 0n);
    const answer = await ask(owner.key, { amount_usd: 5, billing: 'team' });
    const [, sandbox = {}] = readChallenges(answer.headers['www-authenticate']);
    const paid = await harness.request('POST', TOPUP_PATH, {
      json: { amount_usd: 5, billing: 'team' },
      headers: paymentHeader(sandbox, sandboxProof(sandbox)),
    });
    expect(paid).toMatchObject({ status: 200, body: { balance_usd: 5 } });
    const [team] = await harness.runtime.sql`select balance_microusd from accounts where id = ${teamId}`;
    expect(team?.balance_microusd).toBe(5_000_000n);
    expect(await fetchBalance(owner.key)).toBe(0);
    const outsider = await harness.person();
    expect(
      (await ask(outsider.key, { amount_usd: 5, billing: `team-${owner.keyId.slice(-8)}` })).status,
    ).toBe(403);
    await harness.runtime.sql`update memberships set role = 'member' where account_id = ${teamId}`;
    expect((await ask(owner.key, { amount_usd: 5, billing: 'team' })).status).toBe(403);
  });

  it('reports that no payment method is set up, after checking key and body', async () => {
    const { key } = await harness.person();
    const request = (json: unknown) => unconfigured.request('POST', TOPUP_PATH, { key, json });
    expect((await request({ amount_usd: 0 })).status).toBe(400);
    const answer = await request({ amount_usd: 5 });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
    expect(answer.body.error.message).toContain('no payment method');
    expect(answer.headers['retry-after']).toBe('3600');
  });

  it('is limited to exactly a hundred unpaid offers an hour under concurrent requests', async () => {
    const { key } = await harness.person();
    const askAtOnce = (count: number) =>
      Promise.all(Array.from({ length: count }, () => ask(key, { amount_usd: 5 })));
    // They wait for each other in the database, where no request may wait for more than 10 s.
    for (let made = 0; made < 90; made += 15)
      for (const { status } of await askAtOnce(15)) expect(status).toBe(402);
    const answers = await askAtOnce(25);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ body: { error: { code: 'RATE_LIMIT_EXCEEDED', limit: 'hour' } } });
    expect(refused?.headers).toMatchObject({
      'ratelimit-policy': '"machine-topup";q=100;w=3600',
      ratelimit: `"machine-topup";r=0;t=${refused?.headers['retry-after']}`,
    });
    // An hour after the first of them.
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3000);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(3600);
    const other = await harness.person();
    expect((await ask(other.key, { amount_usd: 5 })).status).toBe(402);
  });

  it('accepts an Idempotency-Key, stores nothing under it, and refuses a malformed one', async () => {
    const { key } = await harness.person();
    const headers = { 'idempotency-key': 'top-up-1' };
    const first = await ask(key, { amount_usd: 5 }, headers);
    const second = await ask(key, { amount_usd: 6 }, headers);
    expect([first.status, second.status]).toEqual([402, 402]);
    expect(first.body.challengeId).not.toBe(second.body.challengeId);
    const malformed = await ask(key, { amount_usd: 5 }, { 'idempotency-key': 'x'.repeat(256) });
    expect(malformed).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path: 'Idempotency-Key' }] } },
    });
  });

  it('takes credentials from Authorization only, the field that its challenges select @B14', async () => {
    const { key } = await harness.person();
    const { sandbox } = await requestTopup(harness, key);
    const { authorization } = paymentHeader(sandbox, sandboxProof(sandbox));
    const separate = await ask(key, { amount_usd: 5 }, { 'payment-authorization': authorization });
    expect(separate.status).toBe(402);
    const joined = await harness.request('POST', TOPUP_PATH, {
      json: { amount_usd: 5 },
      headers: { authorization: `Bearer ${key}, ${authorization}` },
    });
    expect(joined.status).toBe(401);
    expect(await fetchBalance(key)).toBe(0);
  });

  it('with two Authorization lines uses one of them, and only credits the account of the challenge @B14', async () => {
    const listening = await startHarness({
      peer: harness,
      fakeStripe: true,
      ports: { payments },
      listen: true,
      env: { MACHINE_PAYMENTS_SANDBOX: '1', AUTH_SECRET: harness.runtime.settings.authSecret },
    });
    try {
      const { port } = new URL(listening.baseUrl);
      const [payer, other] = [await harness.person(), await harness.person()];
      const { sandbox } = await requestTopup(listening, payer.key);
      const { authorization } = paymentHeader(sandbox, sandboxProof(sandbox));
      const body = JSON.stringify({ amount_usd: 5 });
      const send = async (...lines: string[]) => {
        const head = lines.map((line) => `Authorization: ${line}\r\n`).join('');
        const sent = `POST ${TOPUP_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n${head}\r\n${body}`;
        return (await exchange(Number(port), [sent])).statuses;
      };
      // The key comes first: it requests an offer, and the payment after it is ignored.
      expect(await send(`Bearer ${other.key}`, authorization)).toEqual([402]);
      expect([await fetchBalance(payer.key), await fetchBalance(other.key)]).toEqual([0, 0]);
      // The payment comes first: the key after it is not credited.
      expect(await send(authorization, `Bearer ${other.key}`)).toEqual([200]);
      expect(await send(authorization, `Bearer ${other.key}`)).toEqual([200]);
      expect([await fetchBalance(payer.key), await fetchBalance(other.key)]).toEqual([5, 0]);
      expect(await send(`${authorization}, Bearer ${payer.key}`)).toEqual([401]);
    } finally {
      await listening.close();
    }
  });

  it('accepts only POST', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
      expect(await harness.request(method, TOPUP_PATH)).toMatchObject({
        status: 405,
        headers: { allow: 'POST, OPTIONS' },
      });
    expect((await harness.request('OPTIONS', TOPUP_PATH)).status).toBe(204);
  });
});

describe('a top-up paid without a key', () => {
  it.each(['stripe', 'sandbox'] as const)('credits the account and returns a receipt: %s', async (method) => {
    const { key } = await harness.person(1_000_000n);
    const offer = await requestTopup(harness, key);
    const challenge = offer[method];
    const payload = method === 'stripe' ? { spt: 'spt_test_visa' } : sandboxProof(challenge);
    const paid = await sendPayment(harness, challenge, payload);
    expect(paid).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'private, no-store', 'content-type': 'application/json; charset=utf-8' },
      body: { credited_usd: 5, charged_usd: 5.8, balance_usd: 6 },
    });
    expect(await fetchBalance(key)).toBe(6);
    const { payment_ref: ref } = paid.body;
    expect(ref).toMatch(method === 'stripe' ? /^pi_/ : /^sandbox_topup_/);
    const [payment] = await harness.runtime.sql<{ ms: number }[]>`
      select floor(extract(epoch from paid_at) * 1000)::float8 as ms from payments where id = ${ref}`;
    expect(fromBase64url(paid.headers['payment-receipt'] ?? '')).toEqual({
      method,
      reference: ref,
      status: 'success',
      timestamp: new Date(payment?.ms ?? 0).toISOString(),
    });
    const [order] = await harness.runtime.sql`select * from orders where id = ${offer.topupId}`;
    expect(order).toMatchObject({
      status: 'paid',
      payment_id: ref,
      challenge_id: challenge.id,
      mode: method === 'stripe' ? 'fake' : 'sandbox',
    });
  });

  it('charges the token for the ordered amount, under the id of the challenge', async () => {
    const { key } = await harness.person();
    const { stripe, topupId } = await requestTopup(harness, key, 20);
    await sendPayment(harness, stripe, { spt: 'spt_test_twenty' }, { amountUsd: 20 });
    expect(payments.charges.filter(({ token }) => token === 'spt_test_twenty')).toEqual([
      expect.objectContaining({
        orderId: topupId,
        totalCents: 2110,
        idempotencyKey: stripe.id,
        description: 'Machine top-up: $20.00 of credit',
      }),
    ]);
  });

  it('credits the account even if the key that requested it is revoked', async () => {
    const { key, keyId, accountId } = await harness.person();
    const { key: other } = await harness.addKey(accountId);
    const { sandbox } = await requestTopup(harness, key);
    await harness.request('DELETE', `/v1/keys/${keyId}`, { key });
    expect((await sendPayment(harness, sandbox, sandboxProof(sandbox))).status).toBe(200);
    expect(await fetchBalance(other)).toBe(5);
  });

  it('leaves neither token nor proof in the log or the database', async () => {
    const { key } = await harness.person();
    const { stripe } = await requestTopup(harness, key);
    await sendPayment(harness, stripe, { spt: 'spt_marker_in_no_log' });
    const { sandbox } = await requestTopup(harness, key);
    const { proof } = sandboxProof(sandbox);
    await sendPayment(harness, sandbox, { proof });
    const log = harness.log.join('');
    const rows = await harness.runtime.sql`select o::text as row from orders o union all
      select p::text from payments p union all select a::text from audit_events a`;
    for (const secret of ['spt_marker_in_no_log', proof, key]) {
      expect(log).not.toContain(secret);
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });
});
