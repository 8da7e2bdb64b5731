import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { tools } from '../../tools/registry';
import { reconcilePayment } from '../payments/reconcile-payment';
import { reconcile } from '../reconcile/reconcile';

const payments = new FakePayments();
const probe = createProbe();
let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ ports: { payments }, tools: [...tools, probe.tool] });
});
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
});

const call = (key: string, skill: string, input: object) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input } });
const spend = (key: string, amount: number, seconds = 0) =>
  call(key, 'spend', seconds ? { amount_usd: amount, seconds } : { amount_usd: amount });
const echo = (key: string) => call(key, 'echo', { message: 'free' });

async function buy(key: string, amount: number): Promise<string> {
  const { body } = await harness.request('POST', '/v1/billing/checkout', {
    key,
    json: { amount_usd: amount },
  });
  const paymentId = payments.complete(`cs_${body.order_id}`);
  await reconcilePayment(harness.runtime, payments, paymentId);
  return paymentId;
}

async function refund(paymentId: string, cents: number): Promise<void> {
  payments.objects(paymentId).refundedCents += cents;
  await reconcilePayment(harness.runtime, payments, paymentId);
}

async function readMoney(accountId: string) {
  const [row] = await harness.runtime.sql<{ balance: bigint; held: bigint; debt: bigint }[]>`
    select balance_microusd as balance, held_microusd as held, debt_microusd as debt from accounts where id = ${accountId}`;
  return row;
}

describe('a refund after the credit was spent', () => {
  it('leaves a debt: paid calls are 402, free calls work, and new credit pays the debt first @A8', async () => {
    const person = await harness.person();
    const paymentId = await buy(person.key, 1);
    expect((await spend(person.key, 0.75)).status).toBe(200);
    await refund(paymentId, 180);
    expect(await readMoney(person.accountId)).toEqual({ balance: 0n, held: 0n, debt: 750_000n });
    const { body } = await harness.request('GET', '/v1/billing/balance', { key: person.key });
    expect(body).toMatchObject({ available_usd: 0, debt_usd: 0.75, accounts: [{ debt_usd: 0.75 }] });
    expect(await spend(person.key, 0.01)).toMatchObject({
      status: 402,
      body: { error: { code: 'INSUFFICIENT_CREDITS', limit: 'debt', billed: false } },
    });
    expect((await echo(person.key)).status).toBe(200);
    await buy(person.key, 1);
    expect(await readMoney(person.accountId)).toEqual({ balance: 250_000n, held: 0n, debt: 0n });
    expect((await spend(person.key, 0.25)).status).toBe(200);
  });

  it('of a part takes back its share of the credit', async () => {
    const person = await harness.person();
    const paymentId = await buy(person.key, 10);
    await refund(paymentId, 540);
    expect(await readMoney(person.accountId)).toMatchObject({ balance: 5_000_000n, debt: 0n });
    await refund(paymentId, 540);
    expect(await readMoney(person.accountId)).toMatchObject({ balance: 0n, debt: 0n });
  });

  it('in several parts takes back only the new part each time, and paid calls stay refused until the debt is paid @A8', async () => {
    const person = await harness.person();
    const other = await harness.addKey(person.accountId);
    const paymentId = await buy(person.key, 10);
    for (let n = 0; n < 9; n++) expect((await spend(person.key, 1)).status).toBe(200);
    // Of 1080 cents paid for 10 dollars: each snapshot has the sum of all refunds so far, some
    // twice.
    for (const [cents, balance, debt] of [
      [54, 500_000n, 0n],
      [54, 0n, 0n],
      [270, 0n, 2_500_000n],
      [702, 0n, 9_000_000n],
    ] as const) {
      await refund(paymentId, cents);
      await refund(paymentId, 0);
      expect(await readMoney(person.accountId)).toEqual({ balance, held: 0n, debt });
    }
    const entries = await harness.runtime.sql<{ amount: bigint }[]>`
      select amount_microusd as amount from ledger_entries
      where account_id = ${person.accountId} and kind = 'refund' order by amount_microusd desc`;
    expect(entries.map(({ amount }) => amount)).toEqual([-500_000n, -500_000n, -2_500_000n, -6_500_000n]);
    const refused = { status: 402, body: { error: { code: 'INSUFFICIENT_CREDITS', limit: 'debt' } } };
    for (const { key } of [person, other]) expect(await spend(key, 0.000001)).toMatchObject(refused);
    await buy(person.key, 8.99);
    expect(await readMoney(person.accountId)).toEqual({ balance: 0n, held: 0n, debt: 10_000n });
    for (const { key } of [person, other]) expect(await spend(key, 0.000001)).toMatchObject(refused);
    await buy(person.key, 1);
    expect(await readMoney(person.accountId)).toEqual({ balance: 990_000n, held: 0n, debt: 0n });
    for (const { key } of [person, other]) expect((await spend(key, 0.1)).status).toBe(200);
  });

  it('leaves what running calls hold, and their released holds pay the debt @A8', async () => {
    const wait = (key: string, id: string) =>
      harness.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'probe', skill: 'wait_paid', input: { id } },
      });
    const held = PROBE_PRICE;
    const person = await harness.person();
    const paymentId = await buy(person.key, 1);
    const running = wait(person.key, 'succeeds');
    await probe.waitUntilStarted('succeeds');
    await refund(paymentId, 180);
    expect(await readMoney(person.accountId)).toEqual({ balance: held, held, debt: held });
    probe.release('succeeds');
    expect((await running).status).toBe(200);
    expect(await readMoney(person.accountId)).toEqual({ balance: 0n, held: 0n, debt: held });

    const other = await harness.person();
    const second = await buy(other.key, 1);
    const failing = wait(other.key, 'lost');
    await probe.waitUntilStarted('lost');
    await refund(second, 180);
    await harness.runtime
      .sql`update calls set lease_expires_at = now() - interval '1 hour' where account_id = ${other.accountId}`;
    expect(await reapElsewhere(harness.runtime)).toBe(1);
    probe.release('lost');
    await failing;
    expect(await readMoney(other.accountId)).toEqual({ balance: 0n, held: 0n, debt: 0n });
  });
});

describe('a dispute', () => {
  it('takes back the credit and stops paid calls until it is resolved; winning it restores both @A8', async () => {
    const person = await harness.person();
    const paymentId = await buy(person.key, 1);
    await buy(person.key, 5);
    const facts = payments.objects(paymentId);
    facts.disputes.push({ id: 'dp_1', cents: 180, state: 'open' });
    await reconcilePayment(harness.runtime, payments, paymentId);
    expect(await readMoney(person.accountId)).toMatchObject({ balance: 5_000_000n });
    expect(await spend(person.key, 0.01)).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', billed: false } },
    });
    expect((await echo(person.key)).status).toBe(200);
    const asked = { key: person.key, json: { amount_usd: 10 } };
    for (const [method, path] of [
      ['GET', 'balance'],
      ['POST', 'checkout'],
    ] as const)
      expect(await harness.request(method, `/v1/billing/${path}`, asked)).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN' } },
      });
    const off = { key: person.key, json: { autoReloadEnabled: false } };
    expect((await harness.request('PUT', '/v1/billing/preferences', off)).status).toBe(200);
    const dry = await harness.request('POST', '/v1/tools/call', {
      key: person.key,
      json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 }, dry_run: true },
    });
    expect(dry.body.billing.sufficient).toBe(false);

    facts.disputes = [{ id: 'dp_1', cents: 180, state: 'won' }];
    await reconcilePayment(harness.runtime, payments, paymentId);
    expect(await readMoney(person.accountId)).toMatchObject({ balance: 6_000_000n, debt: 0n });
    expect((await spend(person.key, 0.01)).status).toBe(200);
  });

  it('that is lost leaves a debt, and paid calls work again once it is paid @A8', async () => {
    const person = await harness.person();
    const paymentId = await buy(person.key, 1);
    await spend(person.key, 1);
    payments.objects(paymentId).disputes.push({ id: 'dp_2', cents: 180, state: 'open' });
    await reconcilePayment(harness.runtime, payments, paymentId);
    expect((await spend(person.key, 0.01)).status).toBe(403);
    payments.objects(paymentId).disputes = [{ id: 'dp_2', cents: 180, state: 'lost' }];
    await reconcilePayment(harness.runtime, payments, paymentId);
    expect((await spend(person.key, 0.01)).status).toBe(402);
    await buy(person.key, 2);
    expect((await spend(person.key, 1)).status).toBe(200);
  });
});
