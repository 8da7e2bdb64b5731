import type { Executor } from '@/db/client';
import { DELETED_AT_ONCE } from './limits';
import { deleteOfAccount, stopStoring } from './store';

/** Makes the stored contents of a deleted account unreadable, and deletes them. */
export async function forgetContents(tx: Executor, accountId: string): Promise<void> {
  if (await stopStoring(tx, accountId)) await deleteOfAccount(tx, accountId, DELETED_AT_ONCE);
}
