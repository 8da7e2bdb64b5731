import type { Executor } from '@/db/client';
import { clearDeclines } from './store';

/** A person has switched auto-reload on: the next decline is the first again. Its account is locked. */
export async function resetReload(tx: Executor, accountId: string): Promise<void> {
  await clearDeclines(tx, accountId);
}
