import type { Executor } from '@/db/client';
import { type ReloadBounds, secondsUntilAllowed } from './reload';
import { clearDeclines, delayReload, listRecentCharges } from './store';

/**
 * A person has switched auto-reload on: the next decline is the first again. The caps still hold:
 * where one is reached, the next charge waits until it is not. The account is locked.
 */
export async function resetReload(tx: Executor, accountId: string, bounds: ReloadBounds): Promise<void> {
  await clearDeclines(tx, accountId);
  const seconds = secondsUntilAllowed(await listRecentCharges(tx, accountId), bounds);
  if (seconds > 0) await delayReload(tx, accountId, seconds);
}
