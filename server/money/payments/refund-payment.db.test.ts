import { afterAll, beforeAll, expect, it } from 'vitest';
import { buyCredit } from '@/test/support/buy-credit';
import { type Harness, startHarness } from '@/test/support/harness';
import { reconcile } from '../reconcile/reconcile';
import { requirePayments } from './place-order';
import { refundPayment } from './refund-payment';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', fakeStripe: true });
});
afterAll(() => harness.close());

const by = { name: 'operator:test', requestId: 'req_test' };

it('a repeated refund happens once at the provider, and never exceeds what is left', async () => {
  const { accountId, key } = await harness.person(0n);
  await buyCredit(harness, { key, usd: 10, number: '4242424242424242' });
  const { runtime } = harness;
  const [row] = await runtime.sql<{ id: string; total_cents: number }[]>`
    select id, total_cents from payments where account_id = ${accountId}`;
  const paymentId = row?.id ?? '';
  const request = { refundId: 'refund_once', paymentId, cents: 300, reason: 'asked for it' };
  await Promise.all([1, 2, 3].map(() => refundPayment(runtime, by, request)));
  const payments = requirePayments(runtime);
  // A day later the provider has forgotten the key, and finds the refund by its id.
  const again = await payments.refundPayment({ refundId: 'refund_once', paymentId, cents: 300 });
  expect(again).toMatchObject({ outcome: 'refunded' });
  expect((await payments.findPayment(paymentId))?.refundedCents).toBe(300);
  const more = { ...request, refundId: 'refund_more', cents: row?.total_cents ?? 0 };
  await expect(refundPayment(runtime, by, more)).rejects.toThrow('is left to refund');
  expect(await payments.refundPayment(more)).toMatchObject({ outcome: 'refused' });
  // The state after a process died before marking the refund as done: it must not count twice.
  await runtime.sql`update refunds set status = 'open', provider_id = null, finished_at = null where id = 'refund_once'`;
  const rest = { ...request, refundId: 'refund_rest', cents: (row?.total_cents ?? 0) - 300 };
  expect(await refundPayment(runtime, by, rest)).toMatchObject({ status: 'done' });
  expect((await payments.findPayment(paymentId))?.refundedCents).toBe(row?.total_cents);
  expect(
    await runtime.sql`select 1 from refunds where payment_id = ${paymentId} and status = 'open'`,
  ).toEqual([]);
  await expect(refundPayment(runtime, by, { ...more, cents: 1 })).rejects.toThrow('Only $0.00');
  expect((await reconcile(runtime, true)).differences).toEqual([]);
});
