import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createScratchFile, readScratchFile, withScratchBlob } from '../sdk/scratch-files';
import type { CallFiles, InputFile } from '../sdk/skill-context';
import { InputError } from '../sdk/skill-error';

const MIB = 1024 * 1024;
/** Total size of all attachments of an email. */
const MAX_ATTACHED_BYTES = 10 * MIB;
/** A multiple of three, so that the encoded pieces concatenate to valid base64. */
const PIECE_BYTES = 48 * 1024;
const JSON_TYPE = { type: 'application/json' };

/**
 * Sends the JSON of an email. With attachments, the JSON is written to disk first: 10 MiB in base64
 * would block the event loop as one string.
 * @throws {InputError} if the attachments are too large in total, or one cannot be opened
 */
export async function sendMailBody<Answer>(
  files: CallFiles,
  mail: Record<string, unknown>,
  attachments: readonly string[],
  send: (body: Blob) => Promise<Answer>,
): Promise<Answer> {
  if (attachments.length === 0) return await send(new Blob([JSON.stringify(mail)], JSON_TYPE));
  const opened: InputFile[] = [];
  let left = MAX_ATTACHED_BYTES;
  for (const reference of attachments) {
    if (left <= 0) throw tooLarge();
    const file = await files.open(reference, { maxBytes: MAX_ATTACHED_BYTES });
    left -= file.sizeBytes;
    if (left < 0) throw tooLarge();
    opened.push(file);
  }
  const path = await files.scratch('json');
  const file = await createScratchFile(path);
  await pipeline(Readable.from(streamJson(mail, opened)), file);
  return await withScratchBlob(path, send, JSON_TYPE);
}

function tooLarge(): InputError {
  return new InputError(
    'attachments: the total size exceeds 10 MiB. Send links to the larger files instead.',
  );
}

async function* streamJson(
  mail: Record<string, unknown>,
  files: readonly InputFile[],
): AsyncGenerator<string> {
  yield `${JSON.stringify(mail).slice(0, -1)},"attachments":[`;
  for (const [at, file] of files.entries()) {
    const about = { filename: safeName(file.filename), content_type: file.contentType };
    yield `${at > 0 ? ',' : ''}${JSON.stringify(about).slice(0, -1)},"content":"`;
    let rest = Buffer.alloc(0);
    for await (const chunk of readScratchFile(file.path, { pieceBytes: PIECE_BYTES })) {
      const bytes = Buffer.concat([rest, chunk]);
      const whole = bytes.byteLength - (bytes.byteLength % 3);
      rest = bytes.subarray(whole);
      yield bytes.toString('base64', 0, whole);
    }
    yield `${rest.toString('base64')}"}`;
  }
  yield ']}';
}

/** Sanitizes the name of an attachment, which becomes part of a header at the provider. */
function safeName(name: string): string {
  const safe = name
    .replace(/[\p{Cc}\p{Cf}"\\/<>:|?*\u2028\u2029]+/gu, '_')
    .slice(-100)
    .trim();
  return safe || 'attachment';
}
