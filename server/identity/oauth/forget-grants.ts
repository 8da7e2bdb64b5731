import type { Executor } from '@/db/client';
import { deleteGrantsOfUser } from './store';

/**
 * Forgets what a person has allowed applications, whose keys go with their account: before those are locked, as everywhere
 * codes come before grants, grants before tokens, and all of them before keys and accounts.
 */
export async function forgetGrants(tx: Executor, userId: string): Promise<void> {
  await deleteGrantsOfUser(tx, userId);
}
