import { extractText, getDocumentProxy } from 'unpdf';
import type { FakePayments } from '@/test/support/fake-payments';
import type { Harness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { reconcilePayment } from '../../payments/reconcile-payment';
import type { DetailsUpdate } from '../schema';

type Person = Awaited<ReturnType<Harness['person']>>;

/** Settings of a seller. */
export const SELLER = {
  SELLER_NAME: 'Gateway Ltd',
  SELLER_ADDRESS: 'Quay 1\\n20457 Hamburg',
  SELLER_VAT_ID: 'DE999',
};

/** Billing details of a customer. */
export const DETAILS: DetailsUpdate = {
  company_name: 'Ada & Söhne GmbH',
  address: 'Elbchaussee 2\n22765 Hamburg',
  vat_id: 'DE123456789',
  billing_email: null,
};

/** A person in the browser. */
export const actAs = (person: Person, { runtime }: Pick<Harness, 'runtime'>) => ({
  runtime,
  actor: createSessionActor(person),
});

/** Buys credit with a key, and returns the id of the payment. */
export async function payForCredit(
  harness: Harness,
  payments: FakePayments,
  { key }: Pick<Person, 'key'>,
  { usd = 10, billing }: { usd?: number | undefined; billing?: string | undefined } = {},
): Promise<string> {
  const json = { amount_usd: usd, billing };
  const { body } = await harness.request('POST', '/v1/billing/checkout', { key, json });
  const paymentId = payments.complete(`cs_${body.order_id}`);
  await reconcilePayment(harness.runtime, payments, paymentId);
  return paymentId;
}

/** The text of a PDF. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text;
}
