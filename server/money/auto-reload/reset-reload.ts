import type { Executor } from '@/db/client';
import { type ReloadBounds, secondsUntilAllowed } from './reload';
import { clearDeclines, delayReload, listRecentCharges } from './store';

/**
 * Clears the decline count when a person switches auto-recharge on. The caps still apply: the next
 * charge is delayed until none is reached. The account must be locked.
 */
export async function resetReload(tx: Executor, accountId: string, bounds: ReloadBounds): Promise<void> {
  await clearDeclines(tx, accountId);
  const seconds = secondsUntilAllowed(await listRecentCharges(tx, accountId), bounds);
  if (seconds > 0) await delayReload(tx, accountId, seconds);
}
