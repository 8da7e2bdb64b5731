import type { Runtime } from '../core/runtime';
import { addressesOf } from './addresses';
import { contentTypeOf } from './content-type';
import { dropStaged, NoRoom, publishAsset, stageAsset } from './keep-asset';
import { inMib, roomOf } from './quota';
import { removeAsset } from './remove-assets';
import { startThumbnail } from './start-thumbnail';
import { type AssetRow, findAccountOfKey, listOfCall, lockUse } from './store';

/** A file that a call has made, as outputs name it. */
export interface KeptOutput {
  asset_id: string;
  url: string;
  page_url: string;
  content_type: string;
  size_bytes: number;
  filename: string;
}

/** Said to the caller as it is. */
export class OutputRefused extends Error {
  override readonly name = 'OutputRefused';
}

interface WantedOutput {
  /** The key of the call: its account, as it is now, keeps the file. */
  keyId: string;
  madeBy: { callId: string; tool: string; skill: string };
  bytes: AsyncIterable<Uint8Array>;
  sizeBytes: number;
  filename: string;
  contentType: string;
}

/**
 * Keeps a file that a call has made.
 * @throws OutputRefused where it does not fit; whatever the store throws
 */
export async function keepOutput(runtime: Runtime, wanted: WantedOutput): Promise<KeptOutput> {
  const accountId = await findAccountOfKey(runtime.db, wanted.keyId);
  if (accountId === null) throw new OutputRefused('The account of this call is closed.');
  const { madeBy, bytes, sizeBytes } = wanted;
  let staged: Awaited<ReturnType<typeof stageAsset>>;
  try {
    staged = await stageAsset(runtime, { accountId, madeBy, bytes, atMostBytes: sizeBytes });
  } catch (error) {
    if (error instanceof NoRoom) throw new OutputRefused(noRoom(error));
    throw error;
  }
  let row: AssetRow | null = null;
  try {
    const contentType = await contentTypeOf(staged.head, { declared: wanted.contentType });
    row = await publishAsset(runtime.db, staged, { filename: wanted.filename, contentType });
    if (!row) throw new OutputRefused('The call has ended, or its account is closed.');
  } finally {
    if (!row) await dropStaged(runtime, staged);
  }
  startThumbnail(runtime, row);
  return {
    asset_id: row.id,
    ...addressesOf(runtime.settings.baseUrl, row.id, row.filename),
    content_type: row.contentType,
    size_bytes: row.sizeBytes,
    filename: row.filename,
  };
}

/** @throws OutputRefused where the account of this key, as it is now, cannot keep so many bytes more */
export async function ensureRoom({ db, settings }: Runtime, keyId: string, bytes: number): Promise<void> {
  const accountId = await findAccountOfKey(db, keyId);
  const use = accountId === null ? null : await db.transaction((tx) => lockUse(tx, accountId));
  if (!use) throw new OutputRefused('The account of this call is closed.');
  const room = roomOf(use, settings.assetQuotaMib);
  if (use.frozen || room.freeBytes < bytes)
    throw new OutputRefused(noRoom(new NoRoom(use.frozen ? 'frozen' : 'full', use.provisional, room)));
}

function noRoom({ reason, room, provisional }: NoRoom): string {
  if (reason === 'closed') return 'The account of this call is closed.';
  if (reason === 'frozen') return 'The account is frozen: it keeps no files.';
  const mend = provisional ? 'Claim the account to keep more.' : 'Delete files that are no longer needed.';
  return `The file does not fit: the account keeps ${inMib(room.quotaBytes)} in all, ${inMib(room.freeBytes)} of it are free. ${mend}`;
}

/**
 * Removes what a call has made. What the store keeps for now, the sweep removes.
 * @param only these; by default all
 */
export async function removeOutputs(
  runtime: Runtime,
  callId: string,
  only?: ReadonlySet<string>,
): Promise<void> {
  for (const asset of await listOfCall(runtime.db, callId))
    if (!only || only.has(asset.id)) await removeAsset(runtime, asset);
}
