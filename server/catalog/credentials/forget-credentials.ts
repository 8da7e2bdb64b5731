import type { Executor } from '@/db/client';
import { deleteAllCredentials, deleteProviderCredentials } from './store';

/**
 * Deletes all saved values of an account that is being deleted.
 * @returns how many
 */
export async function forgetCredentials(tx: Executor, accountId: string): Promise<number> {
  return await deleteAllCredentials(tx, accountId);
}

/**
 * Deletes the saved values of all accounts for a provider that is being removed.
 * @returns how many
 */
export async function forgetProviderCredentials(tx: Executor, slot: string): Promise<number> {
  return await deleteProviderCredentials(tx, slot);
}
