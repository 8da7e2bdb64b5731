import type { Runtime } from '../core/runtime';
import { buildAssetUrls } from './asset-urls';
import { detectContentType } from './content-type';
import { formatMib, getStorageSpace } from './quota';
import { removeAsset } from './remove-assets';
import { discardStaged, publishAsset, StorageRefused, stageAsset } from './stage-asset';
import { startThumbnail } from './start-thumbnail';
import { type AssetRow, findAccountOfKey, listCallAssets, lockStorage } from './store';

/** A stored file of a call, as outputs name it. */
export interface StoredOutput {
  asset_id: string;
  url: string;
  page_url: string;
  content_type: string;
  size_bytes: number;
  filename: string;
}

/** Its message is shown to the caller. */
export class OutputRefused extends Error {
  override readonly name = 'OutputRefused';
}

interface NewOutput {
  /** The key of the call. The file is stored in the current account of the key. */
  keyId: string;
  madeBy: { callId: string; tool: string; skill: string };
  bytes: AsyncIterable<Uint8Array>;
  sizeBytes: number;
  filename: string;
  contentType: string;
}

/**
 * Stores a file of a call.
 * @throws OutputRefused if it exceeds the quota; any error of the store
 */
export async function storeOutput(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  wanted: NewOutput,
): Promise<StoredOutput> {
  const accountId = await findAccountOfKey(runtime.db, wanted.keyId);
  if (accountId === null) throw new OutputRefused('The account of this call is closed.');
  const { keyId, madeBy, bytes, sizeBytes } = wanted;
  let staged: Awaited<ReturnType<typeof stageAsset>>;
  try {
    staged = await stageAsset(runtime, { accountId, keyId, madeBy, bytes, atMostBytes: sizeBytes });
  } catch (error) {
    if (error instanceof StorageRefused) throw new OutputRefused(describeRefusal(error));
    throw error;
  }
  let row: AssetRow | null = null;
  try {
    const contentType = await detectContentType(staged.head, { declared: wanted.contentType });
    row = await publishAsset(runtime.db, staged, { filename: wanted.filename, contentType });
    if (!row) throw new OutputRefused('The call has ended, or its account is closed.');
  } finally {
    if (!row) await discardStaged(runtime, staged);
  }
  startThumbnail(runtime, row);
  return {
    asset_id: row.id,
    ...buildAssetUrls(runtime.settings.baseUrl, row.id, row.filename),
    content_type: row.contentType,
    size_bytes: row.sizeBytes,
    filename: row.filename,
  };
}

/** @throws OutputRefused if the current account of the key cannot store this many more bytes */
export async function ensureSpace(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  keyId: string,
  bytes: number,
): Promise<void> {
  const accountId = await findAccountOfKey(db, keyId);
  const use = accountId === null ? null : await db.transaction((tx) => lockStorage(tx, accountId));
  if (!use) throw new OutputRefused('The account of this call is closed.');
  const room = getStorageSpace(use, settings.assetQuotaMib);
  if (use.frozen || room.freeBytes < bytes)
    throw new OutputRefused(
      describeRefusal(new StorageRefused(use.frozen ? 'frozen' : 'full', use.provisional, room)),
    );
}

function describeRefusal({ reason, room, provisional }: StorageRefused): string {
  if (reason === 'closed') return 'The account of this call is closed.';
  if (reason === 'frozen') return 'The account is frozen and cannot store files.';
  const hint = provisional ? 'Claim the account to store more.' : 'Delete files that are no longer needed.';
  return `The file exceeds the storage quota: the account may store ${formatMib(room.quotaBytes)}, and ${formatMib(room.freeBytes)} of it are free. ${hint}`;
}

/**
 * Removes the files of a call. If the store fails, the sweep removes the bytes later.
 * @param only these assets; by default all
 */
export async function removeOutputs(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  callId: string,
  only?: ReadonlySet<string>,
): Promise<void> {
  for (const asset of await listCallAssets(runtime.db, callId))
    if (!only || only.has(asset.id)) await removeAsset(runtime, asset);
}
