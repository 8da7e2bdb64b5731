import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Runtime } from '../core/runtime';
import { setWorkerCaller } from '../platform/workers/worker-callers';
import { createScratchFile, readScratchFile } from '../tools/sdk/scratch-files';
import { buildThumbnailKey } from './blob-keys';
import { getStorageSpace } from './quota';
import { makeScratch, removeScratch } from './scratch';
import { type AssetRow, findOwner, lockStorage, setThumbnail } from './store';
import type * as worker from './thumbnail-worker.mjs';

const MODULE = 'server/assets/thumbnail-worker.mjs';
const PICTURES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
]);
/** Larger files are not decoded. */
const MAX_SOURCE_BYTES = 25 * 1024 * 1024;
const TIME_LIMIT_MS = 20_000;
/** Pending thumbnails per process, each with a temporary file; further images get none. */
const MAX_PENDING = 100;
const MAX_PENDING_PER_ACCOUNT = 25;

/** Pending thumbnails by account. */
const pendingByAccount = new Map<string, number>();

/**
 * Starts drawing the thumbnail of an image in the background. The asset is available without it.
 */
export function startThumbnail(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  asset: AssetRow,
): void {
  if (!PICTURES.has(asset.contentType) || asset.sizeBytes > MAX_SOURCE_BYTES) return;
  const own = pendingByAccount.get(asset.accountId) ?? 0;
  const all = [...pendingByAccount.values()].reduce((sum, count) => sum + count, 0);
  if (own >= MAX_PENDING_PER_ACCOUNT || all >= MAX_PENDING) return;
  pendingByAccount.set(asset.accountId, own + 1);
  void makeThumbnail(runtime, asset)
    // Not an error: the image may be broken.
    .catch((error) => runtime.log.info('thumbnail.failed', { assetId: asset.id, error }))
    .finally(() => {
      const left = (pendingByAccount.get(asset.accountId) ?? 1) - 1;
      if (left > 0) pendingByAccount.set(asset.accountId, left);
      else pendingByAccount.delete(asset.accountId);
    });
}

async function makeThumbnail(
  runtime: Pick<Runtime, 'db' | 'ports' | 'settings'>,
  { id, blobKey }: AssetRow,
): Promise<void> {
  const { blob } = runtime.ports;
  const folder = await makeScratch(runtime, 'thumbnail');
  try {
    const [source, target] = [join(folder, 'source'), join(folder, 'target.webp')];
    const bytes = await blob.read(blobKey);
    if (!bytes) return;
    await pipeline(bytes, await createScratchFile(source));
    const owner = await findOwner(runtime.db, id);
    if (!owner) return;
    const signal = AbortSignal.timeout(TIME_LIMIT_MS * 3);
    setWorkerCaller(signal, { ...owner, spentMs: 0 });
    const { bytes: size } = await runtime.ports.runInWorker<typeof worker.drawThumbnail>(
      MODULE,
      'drawThumbnail',
      { source, target },
      { signal, timeLimitMs: TIME_LIMIT_MS },
    );
    const key = buildThumbnailKey(blobKey);
    await blob.put(key, readScratchFile(target), 'image/webp');
    if (await storeThumbnail(runtime, id, { key, bytes: size })) return;
    await blob.delete(key);
    throw new Error('The account is full, or the asset was deleted');
  } finally {
    await removeScratch(folder);
  }
}

/** Returns false if the thumbnail exceeds the quota or the asset was deleted. */
async function storeThumbnail(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  id: string,
  thumbnail: { key: string; bytes: number },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const owner = await findOwner(tx, id);
    const use = owner && (await lockStorage(tx, owner.accountId));
    if (!use || getStorageSpace(use, settings.assetQuotaMib).freeBytes < thumbnail.bytes) return false;
    return await setThumbnail(tx, id, thumbnail);
  });
}
