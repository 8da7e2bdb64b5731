import type { Executor } from '@/db/client';
import { forgetCustomers } from '../payments/receipt-customer';
import { deleteDetails } from './store';

/**
 * Erases the billing details of an account that is being closed, also in its receipts. Issued
 * invoices are retained.
 */
export async function forgetDetails(tx: Executor, accountId: string): Promise<void> {
  await deleteDetails(tx, accountId);
  await forgetCustomers(tx, accountId);
}
