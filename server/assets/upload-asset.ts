import { claimRequired } from '../core/claims/claim-url';
import { GatewayError } from '../core/errors/gateway-error';
import { isAnswered } from '../core/idempotency/is-answered';
import { keepWithin, once } from '../core/idempotency/once';
import type { AccountContext, Upload } from '../core/trpc/context';
import { unknownField } from '../kit/strict-input';
import { addressesOf } from './addresses';
import { contentTypeOf } from './content-type';
import { safeFileName } from './file-name';
import {
  CountedBytes,
  dropStaged,
  NoRoom,
  publishAsset,
  type StagedAsset,
  StoreFailed,
  stageAsset,
} from './keep-asset';
import { inMib } from './quota';
import type { UploadResult } from './schema';
import { startThumbnail } from './start-thumbnail';

const RETRY_AFTER_SECONDS = 5;
/** The fields of a form, apart from its file. */
const FIELDS = ['filename', 'content_type'];

/**
 * Keeps the file of a request. What makes two requests the same is the hash of the file with its
 * name and type, known only once it has come: so a file is stored first, and given up where an
 * Idempotency-Key then says otherwise. Where an answer is kept already, the file is only hashed:
 * the repeat of the upload that filled a quota is not refused by it.
 * @throws GatewayError INVALID_INPUT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, CLAIM_REQUIRED,
 *   FORBIDDEN, UNAVAILABLE
 */
export async function uploadAsset(context: AccountContext): Promise<UploadResult> {
  if (!context.upload) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
  const repeated = await isAnswered(context);
  const upload = await context.upload();
  const staged = repeated ? null : await stage(context, upload);
  let published = false;
  try {
    const file = staged ?? (await hash(upload));
    const named = await nameOf(upload);
    const body = { sha256: file.sha256, size_bytes: file.sizeBytes, ...named };
    return await once<UploadResult>(context, { operation: 'assets.upload', body }, async (claim) => {
      // The kept answer has gone meanwhile, after its 24 hours.
      if (!staged) throw unavailable('The upload was not kept: send it again.');
      const contentType = await contentTypeOf(staged.head, {
        declared: named.content_type,
        filename: named.filename,
      });
      const result: UploadResult = {
        asset_id: staged.id,
        ...addressesOf(context.runtime.settings.baseUrl, staged.id, safeFileName(named.filename)),
        content_type: contentType,
        size_bytes: staged.sizeBytes,
      };
      const row = await context.runtime.db.transaction(async (tx) => {
        const stored = await publishAsset(tx, staged, { filename: named.filename, contentType });
        if (stored) await keepWithin(tx, claim, { status: 200, body: result });
        return stored;
      });
      if (!row) throw unavailable('The upload was given up: send it again.');
      published = true;
      startThumbnail(context.runtime, row);
      return result;
    });
  } finally {
    if (staged && !published) await dropStaged(context.runtime, staged);
  }
}

/** As the fields say, else as the part of the file does. */
async function nameOf(upload: Upload): Promise<{ filename?: string; content_type?: string }> {
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
  const counted = new CountedBytes(upload.bytes, upload.atMostBytes, () => new Error('More than announced'));
  for await (const _ of counted);
  return counted.result();
}

async function stage(context: AccountContext, upload: Upload): Promise<StagedAsset> {
  const { runtime, actor } = context;
  const { accountId } = actor;
  try {
    return await stageAsset(runtime, { accountId, madeBy: null, ...upload });
  } catch (error) {
    if (error instanceof NoRoom) throw await refusalOf(context, error);
    if (error instanceof StoreFailed) {
      runtime.log.error('an upload was not stored', { requestId: context.requestId, error: error.cause });
      throw unavailable('The store of assets does not answer.', error);
    }
    throw error;
  }
}

async function refusalOf({ runtime, actor }: AccountContext, refused: NoRoom): Promise<GatewayError> {
  const { reason, provisional, room } = refused;
  if (reason === 'closed') return unavailable('The account has just moved: send the upload again.');
  if (reason === 'frozen') return new GatewayError('FORBIDDEN', { message: 'This account is frozen.' });
  const message = `May have ${inMib(room.freeBytes)} at most: the account keeps ${inMib(room.quotaBytes)} in all.`;
  const details = { fields: [{ path: 'file', message }], limit: 'quota' };
  if (provisional)
    return await claimRequired(
      runtime,
      actor.accountId,
      `file: Without a claim an account keeps ${inMib(room.quotaBytes)} in all; ${inMib(room.freeBytes)} of it are left.`,
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
