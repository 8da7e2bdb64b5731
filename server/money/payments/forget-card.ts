import type { Executor } from '@/db/client';
import { stopPaying } from './profile-store';

/** Removes the saved card of an account that is being closed, and switches auto-recharge off. */
export async function forgetCard(tx: Executor, accountId: string): Promise<void> {
  await stopPaying(tx, accountId);
}
