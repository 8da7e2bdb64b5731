import { hideAccountAssets } from '../../assets/hide-account-assets';
import { type SweepContext, withSweepLock } from './process-in-batches';
import { deleteAccountRows, listUnclaimed, lockUnclaimed } from './store';

const PAGE = 100;

/**
 * Removes provisional accounts that were neither claimed nor used within the retention, each in its
 * own transaction. A concurrent call or claim either comes first or finds the account deleted.
 * @returns how many accounts were removed
 */
export async function removeUnclaimed({ runtime, signal }: SweepContext): Promise<number> {
  const days = runtime.settings.unclaimedRetentionDays;
  let removed = 0;
  for (let page = await listUnclaimed(runtime.db, days, '', PAGE); page.length > 0; ) {
    for (const accountId of page) {
      if (signal.aborted) return removed;
      const gone = await withSweepLock(runtime, async (tx) => {
        if (!(await lockUnclaimed(tx, accountId, days))) return false;
        await hideAccountAssets(tx, accountId);
        await deleteAccountRows(tx, accountId);
        return true;
      });
      if (gone === null) return removed;
      if (gone) removed++;
    }
    page = await listUnclaimed(runtime.db, days, page.at(-1) as string, PAGE);
  }
  return removed;
}
