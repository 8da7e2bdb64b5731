import type { Executor } from '@/db/client';
import { deleteUserGrants } from './store';

/**
 * Deletes a person's codes and grants with their tokens; their keys are revoked with the account.
 * Call it before locking keys or accounts: the lock order is codes, grants, tokens, keys, accounts.
 */
export async function forgetGrants(tx: Executor, userId: string): Promise<void> {
  await deleteUserGrants(tx, userId);
}
