import type { Executor } from '@/db/client';
import { deleteAccountWebhooks } from './store';

/** Deletes the endpoints and deliveries of an account that is deleted. */
export async function forgetWebhooks(tx: Executor, accountId: string): Promise<void> {
  await deleteAccountWebhooks(tx, accountId);
}
