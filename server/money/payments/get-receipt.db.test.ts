import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { getPayments } from './get-receipt';
import { reconcilePayment } from './reconcile-payment';

const payments = new FakePayments();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ ports: { payments } });
});
afterAll(() => harness.close());

async function buyer(purchases: number) {
  const person = await harness.person();
  for (let n = 0; n < purchases; n++) {
    const json = { amount_usd: 10 };
    const { body } = await harness.request('POST', '/v1/billing/checkout', { key: person.key, json });
    await reconcilePayment(harness.runtime, payments, payments.complete(`cs_${body.order_id}`));
  }
  const list = (cursor?: string) => getPayments(harness.runtime, createSessionActor(person), { cursor });
  return { list, ids: (await list()).payments.map(({ payment_id }) => payment_id) };
}

it('continues a page after a payment of the account, and refuses any other cursor', async () => {
  const own = await buyer(3);
  const other = await buyer(1);
  expect(own.ids).toHaveLength(3);
  const older = await own.list(own.ids[0]);
  expect(older.payments.map(({ payment_id }) => payment_id)).toEqual(own.ids.slice(1));
  for (const cursor of ['nonsense', String(other.ids[0]), "' or 1=1 --"])
    await expect(own.list(cursor), cursor).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
