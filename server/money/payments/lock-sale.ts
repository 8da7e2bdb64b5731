import type { Executor } from '@/db/client';
import { lockPayment, type Payment } from './store';

/** What a payment bought, for its invoice. */
export type Sale = Pick<
  Payment,
  | 'id'
  | 'accountId'
  | 'mode'
  | 'totalCents'
  | 'creditsMicrousd'
  | 'feeMicrousd'
  | 'refundedCents'
  | 'disputedCents'
  | 'disputeOpen'
  | 'paidWith'
  | 'paidAt'
  | 'customer'
>;

/** Locks a received payment; null if there is none. Lock its account first, as everywhere. */
export async function lockSale(tx: Executor, paymentId: string): Promise<Sale | null> {
  return await lockPayment(tx, paymentId);
}
