import type { Executor } from '@/db/client';
import { deleteAllCredentials } from './store';

/**
 * Removes every saved value of an account that is being deleted.
 * @returns how many
 */
export async function forgetCredentials(tx: Executor, accountId: string): Promise<number> {
  return await deleteAllCredentials(tx, accountId);
}
