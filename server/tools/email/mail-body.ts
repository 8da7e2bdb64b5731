import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../sdk/skill-error';
import { createScratchFile, readScratchFile, withScratchBlob } from '../sdk/scratch-files';
import type { CallFiles, InputFile } from '../sdk/skill-context';

const MIB = 1024 * 1024;
/** All attachments of a mail together. */
const MAX_ATTACHED_BYTES = 10 * MIB;
/** A multiple of three, so that the base64 of the pieces is the base64 of the whole. */
const PIECE_BYTES = 48 * 1024;
const JSON_TYPE = { type: 'application/json' };

/**
 * Sends the JSON of a mail; with attachments on the disk: ten MiB in base64 would hold up other
 * calls if they became one text in memory.
 * @throws InputError where the attachments are too large together, or one of them cannot be opened
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
  await pipeline(Readable.from(piecesOf(mail, opened)), file);
  return await withScratchBlob(path, send, JSON_TYPE);
}

function tooLarge(): InputError {
  return new InputError('attachments: together they have more than 10 MiB. Send links to the larger ones.');
}

async function* piecesOf(mail: Record<string, unknown>, files: readonly InputFile[]): AsyncGenerator<string> {
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

/** The name of an attachment, which becomes part of a header there. */
function safeName(name: string): string {
  const safe = name
    .replace(/[\p{Cc}\p{Cf}"\\/<>:|?*\u2028\u2029]+/gu, '_')
    .slice(-100)
    .trim();
  return safe || 'attachment';
}
