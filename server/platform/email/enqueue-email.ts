import type { Executor } from '@/db/client';
import { insertEmail, insertReceiptEmail, type NewEmail } from './store';

/** Queues an email to the managers of an account; it is sent if the transaction commits. */
export async function enqueueEmail(tx: Executor, mail: NewEmail): Promise<void> {
  await insertEmail(tx, mail);
}

/** Queues the receipt of a payment to the billing email of its account, if it has one. */
export async function enqueueReceipt(tx: Executor, accountId: string, paymentId: string): Promise<void> {
  await insertReceiptEmail(tx, accountId, paymentId);
}
