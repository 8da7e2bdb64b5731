import type { Executor } from '@/db/client';
import type { ReceiptCustomer } from '@/db/schema/payments';
import { eraseCustomers, findPaymentRow, writeCustomer } from './store';

/** Company, address and VAT id, as receipts and invoices name them. */
type Named = Pick<ReceiptCustomer, 'company' | 'address' | 'vat_id'>;

/** Whether a receipt names more than the account. Then it never changes. */
export function isNamed({ company, address, vat_id }: Named): boolean {
  return `${company}${address}${vat_id}` !== '';
}

/** The frozen customer of a payment; null if it has none. The caller has authorised the account. */
export async function findCustomer(db: Executor, paymentId: string): Promise<ReceiptCustomer | null> {
  return (await findPaymentRow(db, paymentId))?.customer ?? null;
}

/** Freezes the customer of a payment that is locked and not named yet. */
export async function nameCustomer(
  tx: Executor,
  paymentId: string,
  customer: ReceiptCustomer,
): Promise<void> {
  await writeCustomer(tx, paymentId, customer);
}

/** Erases the customer of all receipts of an account that is being closed. */
export async function forgetCustomers(tx: Executor, accountId: string): Promise<void> {
  await eraseCustomers(tx, accountId);
}
