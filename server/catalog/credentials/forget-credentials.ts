import type { Executor } from '@/db/client';
import { deleteAllCredentials, deleteCredentialsOfSlot } from './store';

/**
 * Removes every saved value of an account that is being deleted.
 * @returns how many
 */
export async function forgetCredentials(tx: Executor, accountId: string): Promise<number> {
  return await deleteAllCredentials(tx, accountId);
}

/**
 * Removes every saved value of a slot that is going, of all accounts.
 * @returns how many
 */
export async function forgetSlot(tx: Executor, slot: string): Promise<number> {
  return await deleteCredentialsOfSlot(tx, slot);
}
