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
import { sandboxProof } from '@/test/support/payment-client';
import { TokenPayments } from '@/test/support/token-payments';
import { reconcile } from '../../money/reconcile/reconcile';
import { recoverTopups } from '../../money/top-ups/recover-topups';
import { deleteOldIdempotencyKeys } from '../../operations/retention/store';

/** Both processes share one provider. */
const payments = new TokenPayments();
let one: Harness;
let two: Harness;
beforeAll(async () => {
  const secret = 'the same secret in every process of it';
  const env = { PAY_PER_CALL: '1', STRIPE_FAKE: '1', AUTH_SECRET: secret, CLAIM_SECRET: `${secret}, too` };
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
});

const listCharges = (orderId: string) => payments.charges.filter((charge) => charge.orderId === orderId);

describe('a payment whose outcome is lost', () => {
  it('is never charged twice: the same credential then runs the call', async () => {
    const { stripe, orderId } = await requestCall(one);
    payments.fault = 'cut';
    const lost = await payCall(one, stripe, buildToken(stripe));
    expect(lost).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE', retry_after: 5 } } });
    expect(lost.headers['www-authenticate']).toBeUndefined();
    payments.fault = 'none';
    expect((await payCall(two, stripe, buildToken(stripe))).status).toBe(200);
    expect(listCharges(orderId)).toHaveLength(1);
    expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [true] });
  });

  it('is credited by the sweep, and the repeat finds the credit and runs the call', async () => {
    const { stripe, orderId } = await requestCall(one);
    payments.fault = 'cut';
    await payCall(one, stripe, buildToken(stripe));
    payments.fault = 'none';
    // A crash between the credit and the run leaves the same state.
    expect(await recoverTopups(two.runtime)).toBe(1);
    expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [] });
    const answers = await Promise.all(
      [one, two].map((harness) => payCall(harness, stripe, buildToken(stripe))),
    );
    expect(answers[0]?.status).toBe(200);
    expect(answers.map(comparable)).toEqual(Array(2).fill(comparable(answers[0] as (typeof answers)[0])));
    expect(listCharges(orderId)).toHaveLength(1);
    expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [true] });
  });

  it.each([
    ['the credit that was bought', {}, 1],
    ['max_cost_usd', { max_cost_usd: 0.2 }, 0.2],
  ])('runs its call for at most %s, although the price has risen since @F33', async (_, limits, cost) => {
    const call = { ...SPEND, ...limits };
    const { stripe, orderId } = await requestCall(one, call);
    payments.fault = 'cut';
    await payCall(one, stripe, buildToken(stripe), { call });
    payments.fault = 'none';
    const { price } = one.runtime.tools.getSkill(SPEND.tool, SPEND.skill).skill;
    const raised = { platformFee: 2_000_000n, providerCost: 500_000n };
    const spies = [
      vi.spyOn(price, 'quote').mockReturnValue(raised),
      vi.spyOn(price, 'settle').mockReturnValue(raised),
    ];
    const paid = await payCall(one, stripe, buildToken(stripe), { call });
    for (const spy of spies) spy.mockRestore();
    expect(paid).toMatchObject({ status: 200, body: { usage: { cost, credits_remaining: 1 - cost } } });
    expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [true] });
  });
});

describe('the stored response of a paid call', () => {
  it('is not replaced by a second run once it is deleted; the key still holds the rest @A27', async () => {
    const { sandbox, orderId } = await requestCall(one);
    const { body } = await payCall(one, sandbox, sandboxProof(sandbox));
    const { sql, db } = one.runtime;
    await sql`update orders set finished_at = finished_at - interval '25 hours' where id = ${orderId}`;
    await sql`update idempotency_keys set created_at = created_at - interval '25 hours',
      finished_at = finished_at - interval '25 hours' where key = ${`payment:${orderId}`}`;
    expect(await db.transaction((tx) => deleteOldIdempotencyKeys(tx, 24, 10))).toBe(1);
    const late = await payCall(one, sandbox, sandboxProof(sandbox));
    expect(late).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', api_key: body.api_key, claim_url: body.claim_url } },
    });
    expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [true] });
  });

  it('is answered with what is stored once its key is revoked, and then runs nothing', async () => {
    const { sandbox, orderId } = await requestCall(one);
    const pay = () => payCall(two, sandbox, sandboxProof(sandbox));
    const { api_key: _key, claim_url: _url, ...result } = (await pay()).body;
    const { sql } = one.runtime;
    await sql`update api_keys k set revoked_at = now() from orders o
      where o.id = ${orderId} and k.account_id = o.account_id`;
    expect(await pay()).toMatchObject({ status: 200, body: result });
    expect((await pay()).body).not.toHaveProperty('api_key');
    await sql`delete from idempotency_keys where key = ${`payment:${orderId}`}`;
    expect(await pay()).toMatchObject({ status: 401, body: { error: { code: 'AUTH_FAILED' } } });
    expect(await listBooks(one, orderId)).toEqual({ credits: 1, calls: [true] });
  });

  it('never contains the key: it is in no table and in no log line @A30', async () => {
    const { sandbox } = await requestCall(one, FAILING);
    const failed = await payCall(one, sandbox, sandboxProof(sandbox), { call: FAILING });
    const next = await requestCall(one);
    const paid = await payCall(one, next.sandbox, sandboxProof(next.sandbox));
    const secrets = [failed.body.error, paid.body].flatMap(({ api_key: key, claim_url: url }) => [
      key,
      new URL(url).searchParams.get('token'),
    ]);
    const { sql } = one.runtime;
    const tables = await sql<{ name: string }[]>`select relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`;
    for (const { name } of tables)
      for (const secret of secrets)
        expect(
          await sql`select 1 from ${sql(name)} t where position(${secret} in t::text) > 0`,
          name,
        ).toHaveLength(0);
    for (const secret of secrets) expect(one.log.join('\n')).not.toContain(secret);
  });
});
