import { claimRequired } from '../core/claims/claim-url';
import { accountFrozen } from '../core/errors/account-frozen';
import { GatewayError } from '../core/errors/gateway-error';
import { isResponseStored } from '../core/idempotency/is-response-stored';
import { runOnce, saveResponseOrThrow } from '../core/idempotency/run-once';
import type { AccountContext, Upload } from '../core/trpc/context';
import { unknownField } from '../kit/strict-input';
import { buildAssetUrls } from './asset-urls';
import { detectContentType } from './content-type';
import { safeFileName } from './file-name';
import { formatMib } from './quota';
import type { UploadResult } from './schema';
import {
  BlobStoreFailed,
  CountedBytes,
  discardStaged,
  publishAsset,
  type StagedAsset,
  StorageRefused,
  stageAsset,
} from './stage-asset';
import { startThumbnail } from './start-thumbnail';

const RETRY_AFTER_SECONDS = 5;
/** Form fields besides the file. */
const FIELDS = ['filename', 'content_type'];

/**
 * Stores the file of a request. Requests are identical if file hash, name and type are; the hash is
 * known only after the upload. So the file is staged first, and discarded if the Idempotency-Key
 * turns out to have a stored response. If a response is stored already, the file is only hashed, so
 * that repeating the upload that filled the quota succeeds.
 * @throws GatewayError INVALID_INPUT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, CLAIM_REQUIRED,
 *   FORBIDDEN, UNAVAILABLE
 */
export async function uploadAsset(context: AccountContext): Promise<UploadResult> {
  if (!context.upload) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
  const repeated = await isResponseStored(context);
  const upload = await context.upload();
  const staged = repeated ? null : await stage(context, upload);
  let published = false;
  try {
    const file = staged ?? (await hash(upload));
    const named = await readFileName(upload);
    const body = { sha256: file.sha256, size_bytes: file.sizeBytes, ...named };
    return await runOnce<UploadResult>(context, { operation: 'assets.upload', body }, async (claim) => {
      // The stored response expired in the meantime.
      if (!staged) throw unavailable('The stored response has expired. Send the upload again.');
      const contentType = await detectContentType(staged.head, {
        declared: named.content_type,
        filename: named.filename,
      });
      const result: UploadResult = {
        asset_id: staged.id,
        ...buildAssetUrls(context.runtime.settings.baseUrl, staged.id, safeFileName(named.filename)),
        content_type: contentType,
        size_bytes: staged.sizeBytes,
      };
      const row = await context.runtime.db.transaction(async (tx) => {
        const stored = await publishAsset(tx, staged, { filename: named.filename, contentType });
        if (stored) await saveResponseOrThrow(tx, claim, { status: 200, body: result });
        return stored;
      });
      if (!row) throw unavailable('The upload was discarded. Send it again.');
      published = true;
      startThumbnail(context.runtime, row);
      return result;
    });
  } finally {
    if (staged && !published) await discardStaged(context.runtime, staged);
  }
}

/** File name and type from the form fields, else from the file part. */
async function readFileName(upload: Upload): Promise<{ filename?: string; content_type?: string }> {
  const fields = await upload.fields();
  for (const name of fields.keys()) if (!FIELDS.includes(name)) throw unknownFormField(name);
  const filename = fields.get('filename') || upload.filename;
  const contentType = fields.get('content_type') || upload.contentType;
  return {
    ...(filename === undefined ? {} : { filename }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
  };
}

function unknownFormField(name: string): GatewayError {
  const message = unknownField(name, FIELDS);
  return new GatewayError('INVALID_INPUT', {
    message,
    details: { fields: [{ path: name.slice(0, 64), message }] },
  });
}

async function hash(upload: Upload): Promise<{ sha256: string; sizeBytes: number }> {
  const counted = new CountedBytes(upload.bytes, upload.maxBytes, () => new Error('More than announced'));
  for await (const _ of counted);
  return counted.result();
}

async function stage(context: AccountContext, upload: Upload): Promise<StagedAsset> {
  const { runtime, actor } = context;
  const { accountId } = actor;
  const keyId = actor.kind === 'key' ? actor.keyId : null;
  const file = { accountId, keyId, madeBy: null, ...upload, atMostBytes: upload.maxBytes };
  try {
    return await stageAsset(runtime, file);
  } catch (error) {
    if (error instanceof StorageRefused) throw await toUploadError(context, error);
    if (error instanceof BlobStoreFailed) {
      runtime.log.error('asset.upload_failed', { requestId: context.requestId, error: error.cause });
      throw unavailable('The file store is not responding.', error);
    }
    throw error;
  }
}

async function toUploadError(
  { runtime, actor }: AccountContext,
  refused: StorageRefused,
): Promise<GatewayError> {
  const { reason, provisional, room } = refused;
  if (reason === 'closed') return unavailable('The account of this key has changed. Send the upload again.');
  if (reason === 'frozen') return accountFrozen();
  const message = `May have at most ${formatMib(room.freeBytes)}: the storage quota of the account is ${formatMib(room.quotaBytes)}.`;
  const details = { fields: [{ path: 'file', message }], limit: 'quota' };
  if (provisional)
    return await claimRequired(
      runtime,
      actor.accountId,
      `file: An unclaimed account may store ${formatMib(room.quotaBytes)}; ${formatMib(room.freeBytes)} of it are free.`,
      details,
    );
  return new GatewayError('PAYLOAD_TOO_LARGE', {
    message: `file: ${message}`,
    hint: 'Delete files that are no longer needed in the dashboard, or upload a smaller one.',
    details,
  });
}

function unavailable(message: string, cause?: unknown): GatewayError {
  return new GatewayError('UNAVAILABLE', { message, details: { retry_after: RETRY_AFTER_SECONDS }, cause });
}
