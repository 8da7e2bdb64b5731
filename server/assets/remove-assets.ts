import type { Runtime } from '../core/runtime';
import { buildThumbnailKey } from './blob-keys';
import { deleteAssetRow, listDeleted, markDeleted } from './store';

const PAGE = 100;
/** After this many consecutive failures the store is down; the next sweep tries again. */
const MAX_FAILURES = 10;

/**
 * Removes an asset: hides it, then removes its bytes, then its row. If the store fails, the hidden
 * row stays and the sweep tries again. Never throws.
 * @returns whether it was removed
 */
export async function removeAsset(
  { db, ports, log }: Pick<Runtime, 'db' | 'log' | 'ports'>,
  { id, blobKey }: { id: string; blobKey: string },
): Promise<boolean> {
  try {
    await markDeleted(db, id);
    await ports.blob.delete(buildThumbnailKey(blobKey));
    await ports.blob.delete(blobKey);
    await deleteAssetRow(db, id);
    return true;
  } catch (error) {
    log.warn('asset.remove_failed', { assetId: id, error });
    return false;
  }
}

/** Removes all hidden assets; those the store cannot remove are skipped. */
export async function removeDeleted(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  signal?: AbortSignal,
): Promise<number> {
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
