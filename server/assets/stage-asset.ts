import { createHash } from 'node:crypto';
import type { Executor } from '@/db/client';
import type { Runtime } from '../core/runtime';
import { newId } from '../kit/ids';
import { buildBlobKey } from './blob-keys';
import { SNIFFED_BYTES, UNKNOWN_TYPE } from './content-type';
import { safeFileName } from './file-name';
import { getStorageSpace, type StorageSpace } from './quota';
import { removeAsset } from './remove-assets';
import {
  type AssetRow,
  insertAsset,
  type LockedStorage,
  lockStorage,
  markDiscarded,
  markStored,
} from './store';

const DAY_MS = 86_400_000;

/** An asset to store. */
export interface NewAsset {
  accountId: string;
  /** The key of the upload or call; null for an upload from the dashboard. */
  keyId: string | null;
  /** The call that created it; null for an upload. */
  madeBy: { callId: string; tool: string; skill: string } | null;
  /** Upper bound of the size. */
  atMostBytes: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** A completely written asset that is not yet visible. */
export interface StagedAsset {
  id: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** The first bytes, for content type detection. */
  head: Uint8Array;
}

/** The file exceeds the quota, or the account may not store files. */
export class StorageRefused extends Error {
  override readonly name = 'NoRoom';

  constructor(
    readonly reason: 'full' | 'closed' | 'frozen',
    readonly provisional: boolean,
    readonly room: StorageSpace,
  ) {
    super(`No room: ${reason}`);
  }
}

/** The store failed, not the sender. */
export class BlobStoreFailed extends Error {
  override readonly name = 'StoreFailed';
}

const NO_SPACE: StorageSpace = { quotaBytes: 0, freeBytes: 0 };

/**
 * Writes the row, then the bytes. The row reserves the maximum size, so that concurrent writes
 * cannot exceed the quota. A failure removes both.
 * @throws StorageRefused, BlobStoreFailed, and any error of the source
 */
export async function stageAsset(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  wanted: NewAsset,
): Promise<StagedAsset> {
  const { settings, db, ports } = runtime;
  const id = newId('asset');
  const blobKey = buildBlobKey(settings.claimSecret, id);
  const { reservedBytes, use, room } = await db.transaction((tx) =>
    reserve(tx, runtime, wanted, { id, blobKey }),
  );
  const counted = new CountedBytes(
    wanted.bytes,
    reservedBytes,
    () => new StorageRefused('full', use.provisional, room),
  );
  try {
    await ports.blob.put(blobKey, counted, UNKNOWN_TYPE);
  } catch (cause) {
    await removeAsset(runtime, { id, blobKey });
    // Report an error of the source unchanged, however the store wraps it.
    if (counted.failure !== undefined) throw counted.failure;
    throw new BlobStoreFailed('The store took no bytes', { cause });
  }
  return { id, ...counted.result() };
}

async function reserve(
  tx: Executor,
  { settings }: Pick<Runtime, 'settings'>,
  { accountId, keyId, madeBy, atMostBytes }: NewAsset,
  { id, blobKey }: { id: string; blobKey: string },
): Promise<{ reservedBytes: number; use: LockedStorage; room: StorageSpace }> {
  const use = await lockStorage(tx, accountId);
  if (!use) throw new StorageRefused('closed', false, NO_SPACE);
  if (use.frozen) throw new StorageRefused('frozen', use.provisional, NO_SPACE);
  const room = getStorageSpace(use, settings.assetQuotaMib);
  if (room.freeBytes === 0) throw new StorageRefused('full', use.provisional, room);
  const reservedBytes = Math.min(atMostBytes, room.freeBytes);
  await insertAsset(tx, {
    id,
    accountId,
    keyId,
    ...madeBy,
    filename: 'file',
    contentType: UNKNOWN_TYPE,
    sizeBytes: reservedBytes,
    blobKey,
    expiresAt: new Date(Date.now() + settings.assetRetentionDays * DAY_MS),
  });
  return { reservedBytes, use, room };
}

/**
 * Makes the asset visible.
 * @returns null if it was discarded before: its write was considered dead, or the account was
 *   deleted
 */
export async function publishAsset(
  tx: Executor,
  { id, sizeBytes, sha256 }: StagedAsset,
  { filename, contentType }: { filename: string | undefined; contentType: string },
): Promise<AssetRow | null> {
  return await markStored(tx, id, { sizeBytes, sha256, contentType, filename: safeFileName(filename) });
}

/** Discards a staged asset, unless it was published by a statement with a lost response. */
export async function discardStaged(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  { id }: StagedAsset,
): Promise<void> {
  try {
    if (!(await markDiscarded(runtime.db, id))) return;
    await removeAsset(runtime, { id, blobKey: buildBlobKey(runtime.settings.claimSecret, id) });
  } catch (error) {
    runtime.log.warn('asset.discard_failed', { assetId: id, error });
  }
}

/** Counts and hashes bytes while they pass, and collects the first ones. */
export class CountedBytes implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  readonly #limit: number;
  readonly #tooMany: () => Error;
  readonly #hash = createHash('sha256');
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  #size = 0;
  /** The error of the source, if it failed before the store had all bytes. */
  failure: unknown;

  constructor(bytes: AsyncIterable<Uint8Array>, limit: number, tooMany: () => Error) {
    this.#bytes = bytes;
    this.#limit = limit;
    this.#tooMany = tooMany;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    try {
      for await (const chunk of this.#bytes) {
        this.#size += chunk.byteLength;
        if (this.#size > this.#limit) throw this.#tooMany();
        this.#hash.update(chunk);
        this.#storeHead(chunk);
        yield chunk;
      }
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  #storeHead(chunk: Uint8Array): void {
    if (this.#headBytes >= SNIFFED_BYTES) return;
    // Copy, because the memory of the chunk may be reused.
    const part = Uint8Array.from(chunk.subarray(0, SNIFFED_BYTES - this.#headBytes));
    this.#head.push(part);
    this.#headBytes += part.byteLength;
  }

  /** Call after all bytes have passed. */
  result(): { sizeBytes: number; sha256: string; head: Uint8Array } {
    return { sizeBytes: this.#size, sha256: this.#hash.digest('hex'), head: Buffer.concat(this.#head) };
  }
}
