import type { Executor } from '@/db/client';
import { stopPaying } from './profile-store';

/** A closed account is charged no more: its card is forgotten here, and auto-reload is off. */
export async function forgetCard(tx: Executor, accountId: string): Promise<void> {
  await stopPaying(tx, accountId);
}
