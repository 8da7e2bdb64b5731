import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakePayments } from '@/test/support/fake-payments';
import type { Harness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import { reconcile } from '../../money/reconcile/reconcile';
import { type OperatorPair, startOperatorPair } from './testing/operator-pair';

const { tool: probe } = createProbe();
let pair: OperatorPair;
let harness: Harness;
let payments: FakePayments;
let boss: OperatorPair['boss'];
let second: OperatorPair['second'];

beforeAll(async () => {
  pair = await startOperatorPair([probe]);
  ({ harness, payments, boss, second } = pair);
});
afterAll(() => pair?.close());

const form = () => crypto.randomUUID();

describe('a refund', () => {
  it('never returns more than was paid if two operators request it at once', async () => {
    const { accountId, paymentId, totalCents } = await pair.buyer();
    const ask = (who: typeof boss, cents: number) =>
      who.operator.accounts.refund({
        account_id: accountId,
        payment_id: paymentId,
        cents,
        reason: 'asked twice',
        form: form(),
      });
    const asked = await Promise.allSettled([
      ask(boss, totalCents),
      ask(second, totalCents),
      ask(boss, totalCents - 1),
      ask(second, totalCents - 1),
    ]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { refundedCents } = payments.objects(paymentId);
    expect(refundedCents).toBeLessThanOrEqual(totalCents);
    expect(refundedCents).toBeGreaterThanOrEqual(totalCents - 1);
    expect((await reconcile(harness.runtime, true)).differences).toEqual([]);
  });

  it('in parts stops when nothing is left to refund', async () => {
    const { accountId, paymentId, totalCents } = await pair.buyer();
    const part = Math.ceil(totalCents / 3);
    const asked = await Promise.allSettled(
      [boss, second, boss, second].map((who) =>
        who.operator.accounts.refund({
          account_id: accountId,
          payment_id: paymentId,
          cents: part,
          reason: 'a third',
          form: form(),
        }),
      ),
    );
    const done = asked.filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBe(Math.floor(totalCents / part));
    expect(payments.objects(paymentId).refundedCents).toBe(done * part);
    expect((await reconcile(harness.runtime, true)).differences).toEqual([]);
  });

  it('continues with the same form after a lost response, and blocks other refunds until then', async () => {
    const { accountId, paymentId, totalCents } = await pair.buyer();
    const wanted = {
      account_id: accountId,
      payment_id: paymentId,
      cents: totalCents,
      reason: 'all of it',
      form: form(),
    };
    payments.beforeFind = () => Promise.reject(new PaymentsUnavailable('the answer was lost'));
    await expect(boss.operator.accounts.refund(wanted)).rejects.toThrow();
    payments.beforeFind = async () => undefined;
    await expect(second.operator.accounts.refund({ ...wanted, form: form() })).rejects.toThrow('is left');
    expect(await boss.operator.accounts.refund(wanted)).toMatchObject({ status: 'done' });
    expect(payments.objects(paymentId).refundedCents).toBe(totalCents);
    expect((await boss.operator.accounts.get({ account_id: accountId })).balance_usd).toBe(0);
    expect((await reconcile(harness.runtime, true)).differences).toEqual([]);
  });

  it('of spent credit leaves a debt', async () => {
    const { accountId, key, paymentId, totalCents } = await pair.buyer();
    expect(
      (
        await harness.request('POST', '/v1/tools/call', {
          key,
          json: { tool: probe.name, skill: 'ok_paid', input: {} },
        })
      ).status,
    ).toBe(200);
    const wanted = {
      account_id: accountId,
      payment_id: paymentId,
      cents: totalCents,
      reason: 'all of it',
      form: form(),
    };
    await boss.operator.accounts.refund(wanted);
    const { debt_usd, balance_usd } = await boss.operator.accounts.get({ account_id: accountId });
    expect({ debt_usd, balance_usd }).toEqual({ debt_usd: 0.0001, balance_usd: 0 });
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
  });

  it('returns NOT_FOUND for a payment of another account', async () => {
    const { paymentId } = await pair.buyer();
    const { accountId } = await harness.person(0n);
    const wanted = {
      account_id: accountId,
      payment_id: paymentId,
      cents: 1,
      reason: 'wrong one',
      form: form(),
    };
    await expect(boss.operator.accounts.refund(wanted)).rejects.toMatchObject({
      message: 'This account has no such payment.',
    });
  });
});

describe('a failed payment event', () => {
  it('is stored with its error and no secrets, and can be replayed repeatedly', async () => {
    const { accountId, paymentId } = await pair.buyer();
    payments.objects(paymentId).refundedCents = 100;
    const id = await pair.failedEvent(paymentId);
    const failed = (await boss.operator.webhooks.list({ state: 'failed' })).events.find(
      (event) => event.id === id,
    );
    expect(failed).toMatchObject({ attempts: 1, payment_id: paymentId, replayable: true });
    expect(failed?.error).toContain('no answer');
    expect(failed?.error).not.toContain('51secret');
    const results = await Promise.all(
      [boss, second, boss].map((who) => who.operator.webhooks.replay({ event_id: id })),
    );
    expect(results.map(({ error }) => error)).toEqual([null, null, null]);
    const { statement } = await boss.operator.accounts.get({ account_id: accountId });
    expect(statement.lines.filter(({ kind }) => kind === 'refund')).toHaveLength(1);
    const seen = (await boss.operator.webhooks.list({ state: 'processed' })).events.find(
      (event) => event.id === id,
    );
    expect(seen).toMatchObject({ outcome: 'applied', error: null });
    expect((await reconcile(harness.runtime, true)).differences).toEqual([]);
  });

  it('is listed across pages', async () => {
    await harness.runtime.sql`
      insert into payment_events (id, type, live, received_at)
      select 'evt_page' || i, 'charge.updated', false, now() - interval '1 day' + (i / 2) * interval '1 microsecond'
      from generate_series(1, 70) i`;
    const seen = new Set<string>();
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await boss.operator.webhooks.list({ cursor });
      for (const { id } of page.events) seen.add(id);
      cursor = page.next_cursor;
    }
    const [count] = await harness.runtime.sql`select count(*)::int as n from payment_events`;
    expect(seen.size).toBe(count?.n);
  });
});
