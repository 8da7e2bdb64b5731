import type { Executor } from '@/db/client';
import { deleteDetails } from './store';

/** Erases the billing details of an account that is being closed. Issued invoices are retained. */
export async function forgetDetails(tx: Executor, accountId: string): Promise<void> {
  await deleteDetails(tx, accountId);
}
