import type { Executor } from '@/db/client';
import { markDispute, moveOrders } from './store';

/**
 * Moves the payments of a claimed account to the account that has their credit now, so that a later
 * refund or dispute takes it back there. Both must be locked.
 */
export async function movePayments(tx: Executor, fromId: string, toId: string): Promise<void> {
  await moveOrders(tx, fromId, toId);
  await markDispute(tx, fromId);
  await markDispute(tx, toId);
}
