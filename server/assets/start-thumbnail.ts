import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Runtime } from '../runtime';
import { runInWorker } from '../tools/cpu-pool';
import { createScratchFile, readScratchFile } from '../tools/scratch-files';
import { thumbnailKeyOf } from './blob-keys';
import { makeScratch, removeScratch } from './scratch';
import { type AssetRow, setThumbnail } from './store';
import type * as worker from './thumbnail-worker.mjs';

const MODULE = 'server/assets/thumbnail-worker.mjs';
const PICTURES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
]);
/** A larger file is not decoded at all. */
const MAX_SOURCE_BYTES = 25 * 1024 * 1024;
const TIME_LIMIT_MS = 20_000;
/** Pictures that wait for theirs in one process; more get none. */
const MAX_UNDERWAY = 100;

let underway = 0;

/** Begins to draw the thumbnail of a picture. The asset does not wait for it, and is there without it. */
export function startThumbnail(runtime: Runtime, asset: AssetRow): void {
  if (!PICTURES.has(asset.contentType) || asset.sizeBytes > MAX_SOURCE_BYTES || underway >= MAX_UNDERWAY)
    return;
  underway++;
  void makeThumbnail(runtime, asset)
    // What cannot be drawn has none: a broken picture is the owner's, not a fault of ours.
    .catch((error) => runtime.log.info('no thumbnail', { assetId: asset.id, error }))
    .finally(() => {
      underway--;
    });
}

async function makeThumbnail(runtime: Runtime, { id, blobKey }: AssetRow): Promise<void> {
  const { blob } = runtime.ports;
  const folder = await makeScratch(runtime, 'thumbnail');
  try {
    const [source, target] = [join(folder, 'source'), join(folder, 'target.webp')];
    const bytes = await blob.read(blobKey);
    if (!bytes) return;
    await pipeline(bytes, await createScratchFile(source));
    const signal = AbortSignal.timeout(TIME_LIMIT_MS * 3);
    const { bytes: size } = await runInWorker<typeof worker.drawThumbnail>(
      MODULE,
      'drawThumbnail',
      { source, target },
      { signal, timeLimitMs: TIME_LIMIT_MS },
    );
    const key = thumbnailKeyOf(blobKey);
    await blob.put(key, readScratchFile(target), 'image/webp');
    if (!(await setThumbnail(runtime.db, id, { key, bytes: size }))) await blob.delete(key);
  } finally {
    await removeScratch(folder);
  }
}
