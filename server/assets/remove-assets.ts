import type { Runtime } from '../core/runtime';
import { thumbnailKeyOf } from './blob-keys';
import { deleteAssetRow, listDeleted, markDeleted } from './store';

const PAGE = 100;
/** A store that fails so often in a row is down: the next sweep asks it again. */
const MAX_FAILURES = 10;

/**
 * Removes one asset: from everybody's sight, then its bytes, then its row. Where the store fails, the row stays and says
 * that the bytes are still to go: the sweep tries again. Never throws.
 * @returns whether it is gone
 */
export async function removeAsset(
  { db, ports, log }: Runtime,
  { id, blobKey }: { id: string; blobKey: string },
): Promise<boolean> {
  try {
    await markDeleted(db, id);
    await ports.blob.delete(thumbnailKeyOf(blobKey));
    await ports.blob.delete(blobKey);
    await deleteAssetRow(db, id);
    return true;
  } catch (error) {
    log.warn('an asset could not be removed yet', { assetId: id, error });
    return false;
  }
}

/** Removes all that nobody sees any more. Those that the store keeps are passed over. */
export async function removeDeleted(runtime: Runtime, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  let failures = 0;
  for (let page = await listDeleted(runtime.db, '', PAGE); page.length > 0; ) {
    for (const asset of page) {
      if (signal?.aborted || failures >= MAX_FAILURES) return removed;
      if (await removeAsset(runtime, asset)) {
        removed++;
        failures = 0;
      } else failures++;
    }
    page = await listDeleted(runtime.db, page.at(-1)?.id as string, PAGE);
  }
  return removed;
}
