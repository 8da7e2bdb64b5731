import type { Runtime } from '../core/runtime';
import { buildBlobPrefix, parseBlobKey } from './blob-keys';
import { findKnownKeys } from './store';

const BATCH = 500;

/**
 * Removes blobs without a row, for example after a restore of the database. A row is always written
 * before its bytes, so such a blob never gets one.
 * @returns how many were removed
 */
export async function removeStrays(
  runtime: Pick<Runtime, 'db' | 'ports' | 'settings'>,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  for await (const key of runtime.ports.blob.list(buildBlobPrefix(runtime.settings.claimSecret))) {
    if (signal?.aborted) return removed;
    batch.push(key);
    if (batch.length < BATCH) continue;
    removed += await removeUnknown(runtime, batch);
    batch = [];
  }
  return removed + (await removeUnknown(runtime, batch));
}

async function removeUnknown(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  const known = await findKnownKeys(
    db,
    keys.map((key) => parseBlobKey(key).id),
  );
  const strays = keys.filter((key) => !known.has(parseBlobKey(key).blobKey));
  for (const key of strays) await ports.blob.delete(key);
  return strays.length;
}
