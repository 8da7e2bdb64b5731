import type { Executor } from '@/db/client';
import { markAllDeleted } from './store';

/**
 * Hides all files of an account in the transaction that deletes it. The sweep removes their bytes,
 * then their rows.
 */
export async function hideAccountAssets(tx: Executor, accountId: string): Promise<void> {
  await markAllDeleted(tx, accountId);
}
