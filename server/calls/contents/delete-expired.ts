import type { Executor } from '@/db/client';
import { deleteExpired } from './store';

/**
 * Deletes contents past their days, of accounts that store none any more, and of closed accounts.
 * @param maxDays the operator's maximum
 * @returns how many were deleted
 */
export async function deleteExpiredContents(tx: Executor, maxDays: number, limit: number): Promise<number> {
  return await deleteExpired(tx, maxDays, limit);
}
