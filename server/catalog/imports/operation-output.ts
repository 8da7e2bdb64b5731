import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { asToolFailure, InputError, SkillError } from '../../core/errors/skill-error';
import { attributeText } from '../../kit/attribute-text';
import { readHeader } from '../../kit/buffered-response';
import { decodeText } from '../../kit/decode-text.mjs';
import { withErrorListener } from '../../kit/error-listener';
import { MAX_OUTPUT_BYTES } from '../../kit/output-size.mjs';
import { parseExactResponse, parseJson, RESPONSE_LIMITS } from '../../kit/parse-json';
import { readUpTo } from '../../kit/read-up-to';
import { createScratchFile } from '../../tools/sdk/scratch-files';
import type { CallFiles } from '../../tools/sdk/skill-context';
import { findReason } from './find-reason';

/** Twice the limit of an output, because JSON may be indented. */
const MAX_TEXT_BYTES = 2 * MAX_OUTPUT_BYTES;
const MAX_REASON_CHARS = 300;
/** Statuses that blame the input rather than the upstream. */
const INPUT_ERROR_STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 410, 413, 422]);
const MAX_REASON_BYTES = 64 * 1024;
/** How often the quota is checked while a file arrives. */
const QUOTA_STEP_BYTES = 4 * 1024 * 1024;
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The output schema of an operation without one in its document. */
export const ANY_OPERATION_OUTPUT = {
  type: 'object',
  description:
    'The response of the upstream: its JSON object, `data` for other JSON, `text`, or `file` for anything else.',
  properties: {
    data: { description: 'JSON other than an object.' },
    text: { type: 'string' },
    charset: { type: 'string', description: 'The charset of `text`, from the response or assumed.' },
    file: { type: 'object', properties: { asset_id: { type: 'string' }, url: { type: 'string' } } },
    status: { type: 'integer', description: 'The HTTP status, if the response is empty.' },
  },
} as const;

/**
 * Converts the response of an operation to a skill's output. Content other than text becomes an
 * asset of the caller.
 * @throws SkillError for a failed request
 */
export async function operationOutput(
  response: Response,
  services: { readonly files: CallFiles },
): Promise<Record<string, unknown>> {
  if (response.status < 200 || response.status >= 300) throw await toUpstreamError(response);
  const type = (readHeader(response, 'content-type') ?? '').toLowerCase();
  const [media = ''] = type.split(';').map((part) => part.trim());
  const isJson = /[/+]json$/.test(media);
  const isText = isJson || media.startsWith('text/') || media === '' || /[/+]xml$/.test(media);
  if (!isText) {
    const file = await saveFile(response, media, services.files);
    return file ? { file: { ...file } } : { status: response.status };
  }
  const bytes = await readText(response);
  if (bytes.byteLength === 0) return { status: response.status };
  return isJson ? await readJson(await toUtf8(bytes, type), response) : await decodeText(bytes, type);
}

/** For messages only: parsing the address is slow. */
function hostOf({ url }: Response): string {
  return new URL(url).host;
}

async function readText(response: Response): Promise<Uint8Array> {
  const bytes = await readUpTo(response, MAX_TEXT_BYTES + 1).catch((error) => {
    throw asToolFailure(error);
  });
  if (bytes.byteLength > MAX_TEXT_BYTES)
    throw new SkillError(`${hostOf(response)} returned more than ${MAX_TEXT_BYTES / 1024 / 1024} MiB.`);
  return bytes;
}

/**
 * Saves a body as an asset; null if it is empty. It goes through the disk: an upstream may take as
 * long for it as a call may run. The request limits its bytes.
 */
async function saveFile(response: Response, contentType: string, files: CallFiles) {
  const { body } = response;
  if (body === null) return null;
  const path = await files.scratch();
  const file = await createScratchFile(path);
  await pipeline(readWithinQuota(body, files), file);
  if ((await stat(path)).size === 0) return null;
  return await files.save({ path }, { filename: getFileName(response), contentType });
}

/** Stops soon after a file exceeds the quota of its account: it would be refused anyway. */
async function* readWithinQuota(body: ReadableStream<Uint8Array>, files: CallFiles) {
  const source = withErrorListener(Readable.fromWeb(body as NodeReadableStream));
  const chunks = source.iterator();
  const readNext = () =>
    chunks.next().catch((error) => {
      throw asToolFailure(error);
    });
  let unchecked = 0;
  let size = 0;
  try {
    for (let next = await readNext(); !next.done; next = await readNext()) {
      size += next.value.byteLength;
      unchecked += next.value.byteLength;
      if (unchecked >= QUOTA_STEP_BYTES) {
        await files.ensureRoom(size);
        unchecked = 0;
      }
      yield next.value;
    }
  } finally {
    source.destroy();
  }
}

/** Converts JSON of another charset, which only the header may name. */
async function toUtf8(bytes: Uint8Array, contentType: string): Promise<Uint8Array> {
  if (!contentType.includes('charset')) return bytes;
  const { text, charset } = await decodeText(bytes, contentType);
  return charset === 'utf-8' ? bytes : Buffer.from(text);
}

async function readJson(bytes: Uint8Array, response: Response): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = await parseExactResponse(bytes);
  } catch (error) {
    if (error instanceof RangeError)
      throw new SkillError(
        `${hostOf(response)} returned JSON that is nested too deeply or has more than ${RESPONSE_LIMITS}.`,
      );
    throw new SkillError(`${hostOf(response)} returned invalid JSON.`);
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { data: value };
}

function getFileName(response: Response): string {
  const disposition = response.headers.get('content-disposition') ?? '';
  const named = /filename="?([\w.\- ]{1,120})"?/i.exec(disposition)?.[1];
  const last = new URL(response.url).pathname.split('/').pop() ?? '';
  return named?.trim() || (/^[\w.-]{1,120}$/.test(last) ? last : 'result.bin');
}

/** Builds the error, with the upstream's reason as untrusted data. */
async function toUpstreamError(response: Response): Promise<SkillError> {
  const { status } = response;
  const bytes = await readUpTo(response, MAX_REASON_BYTES).catch(() => new Uint8Array());
  const type = response.headers.get('content-type') ?? '';
  const { text } = await decodeText(bytes, type, { cut: bytes.byteLength === MAX_REASON_BYTES });
  const what =
    status === 401 || status === 403
      ? 'refused the credential'
      : status >= 500
        ? 'failed'
        : 'refused the request';
  const message = attributeText(`${hostOf(response)} ${what} (${status})`, reasonIn(text), MAX_REASON_CHARS);
  return INPUT_ERROR_STATUSES.has(status) ? new InputError(message) : new SkillError(message);
}

function reasonIn(body: string): string {
  try {
    return findReason(parseJson(body));
  } catch {
    return /^\s*</.test(body) ? '' : body;
  }
}
