import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARD, FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { deleteAccount } from '../../lifecycle/delete-account';
import { reconcilePayment } from './reconcile-payment';

const payments = new FakePayments();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ ports: { payments }, role: 'command' });
});
afterAll(() => harness.close());

it('a checkout that is paid after its account was deleted is logged for the operator, and saves no card', async () => {
  const { runtime } = harness;
  const { key, userId, accountId } = await harness.person();
  const json = { amount_usd: 10, save_card: true };
  const { order_id: orderId } = (await harness.request('POST', '/v1/billing/checkout', { key, json })).body;
  const actor = {
    kind: 'session',
    accountType: 'personal',
    accountFrozen: false,
    sessionId: 'test',
  } as const;
  await deleteAccount(runtime, { ...actor, userId, accountId });
  const paymentId = payments.complete(`cs_${orderId}`);
  const profile = async () =>
    (await runtime.sql`select * from payment_profiles where account_id = ${accountId}`)[0];
  Object.assign(payments.objects(paymentId), { card: CARD, customerId: (await profile())?.customer_id });
  expect((await reconcilePayment(runtime, payments, paymentId)).outcome).toBe('applied');
  expect(await profile()).toMatchObject({ payment_method_id: null, card_last4: null });
  expect(harness.log.join('')).toContain('payment.account_closed');
});
