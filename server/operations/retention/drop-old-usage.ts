import { DrizzleQueryError } from 'drizzle-orm/errors';
import { type Sweeping, underSweepLock } from './in-batches';
import { dropUsageMonth, listOldUsageMonths } from './store';

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Drops whole months of usage that are past their time. One that somebody reads for long stays until the next sweep: to
 * wait for it would make every call wait.
 * @returns how many months were dropped
 */
export async function dropOldUsage({ runtime, signal }: Sweeping): Promise<number> {
  let dropped = 0;
  for (const month of await listOldUsageMonths(runtime.db, runtime.settings.usageRetentionMonths)) {
    if (signal.aborted) break;
    try {
      const done = await underSweepLock(runtime, async (tx) => {
        await dropUsageMonth(tx, month);
        return true;
      });
      if (!done) break;
      dropped++;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      runtime.log.warn('a month of usage is in use: the next sweep drops it', { month });
    }
  }
  return dropped;
}

function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE;
}
