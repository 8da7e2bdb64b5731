import { isLockTimeout } from './lock-timeout';
import { type SweepContext, withSweepLock } from './process-in-batches';
import { dropUsageMonth, listOldUsageMonths } from './store';

/**
 * Drops whole months of usage past their retention. A month that is being read stays until the next
 * sweep, because waiting for its lock would block every call.
 * @returns how many months were dropped
 */
export async function dropOldUsage({ runtime, signal }: SweepContext): Promise<number> {
  let dropped = 0;
  for (const month of await listOldUsageMonths(runtime.db, runtime.settings.usageRetentionMonths)) {
    if (signal.aborted) break;
    try {
      const done = await withSweepLock(runtime, async (tx) => {
        await dropUsageMonth(tx, month);
        return true;
      });
      if (!done) break;
      dropped++;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      runtime.log.warn('sweep.usage_month_busy', { month });
    }
  }
  return dropped;
}
