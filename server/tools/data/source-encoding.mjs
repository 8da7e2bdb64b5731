// Finds out how the bytes of a text file stand for characters, and writes other encodings as UTF-8.
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { writeBounded } from './bounded-file.mjs';
import { readBlocks } from './file-blocks.mjs';

const LINE_FEED = 10;
/** Bytes of a UTF-8 character that may be left at the end of a block. */
const MAX_REST_BYTES = 3;
const HEAD_BYTES = 4_096;
/** In a text of one-byte letters, UTF-16 has a zero in every second byte. */
const ZERO_SHARE = 0.3;
/** Bytes that windows-1252 does not define: a file with them is in another encoding. */
const CONTROL = /[\x80-\x9f]/;
const PASS = 'Pass its encoding, such as windows-1252, iso-8859-2 or utf-16le.';

/**
 * A text file as UTF-8.
 * @typedef {object} Utf8File
 * @property {string} path the file, or the scratch file with its text as UTF-8
 * @property {number} offset of the text: 3 after a byte order mark
 * @property {string} encoding of the original, as the Encoding standard names it
 * @property {string[]} notes
 */

/**
 * Uses the byte order mark, else the caller's encoding, else UTF-8 if all bytes are valid, else,
 * for
 * CSV, windows-1252.
 * @param {import('./load-table.mjs').Source} source
 * @param {boolean} mayGuess JSON is always UTF-8 unless the caller names another encoding
 * @returns {Promise<Utf8File>}
 * @throws {Refusal} if the bytes are not in the encoding
 */
export async function toUtf8(source, mayGuess) {
  const { path, encoding: label } = source;
  const head = await readHead(path);
  const given = label === undefined ? undefined : (await loadCharsets()).findCharset(label);
  if (label !== undefined && (given === undefined || given === 'replacement'))
    throw new Refusal(`encoding: "${label}" is not a known encoding. ${PASS}`);
  const mark = readMark(head);
  const charset = mark ?? given ?? readZeros(head);
  if (charset !== undefined && charset !== 'utf-8') return await transcode(source, charset);
  const offset = mark === 'utf-8' ? 3 : 0;
  const invalid = await findInvalidUtf8(path, offset);
  if (invalid === null) return { path, offset, encoding: 'utf-8', notes: [] };
  const isMostlyUtf8 = invalid.characters > invalid.bytes;
  if (charset === 'utf-8' || !mayGuess || isMostlyUtf8)
    throw new Refusal(
      `line ${invalid.line} is not valid UTF-8, at byte ${invalid.offset + 1} of the file. ${PASS}`,
    );
  return await transcode(source, 'windows-1252', true);
}

/** Its tables take 50 ms to load, and most files are UTF-8. */
function loadCharsets() {
  return import('../../kit/charset.mjs');
}

/** @param {string} path */
async function readHead(path) {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** @param {Buffer} head */
function readMark(head) {
  const mark = head.toString('latin1', 0, 4);
  if (mark === '\xff\xfe\0\0' || mark === '\0\0\xfe\xff')
    throw new Refusal('the file is UTF-32, which is not supported. Save it as UTF-8.');
  if (mark.startsWith('\xef\xbb\xbf')) return 'utf-8';
  if (mark.startsWith('\xff\xfe')) return 'utf-16le';
  return mark.startsWith('\xfe\xff') ? 'utf-16be' : undefined;
}

/** @param {Buffer} head */
function readZeros(head) {
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) zeros[at % 2] = Number(zeros[at % 2]) + 1;
  const enough = head.length * ZERO_SHARE;
  const [even = 0, odd = 0] = zeros;
  if (odd > enough && even < enough / 10) return 'utf-16le';
  return even > enough && odd < enough / 10 ? 'utf-16be' : undefined;
}

/**
 * @param {string} path
 * @param {number} from
 * @returns {Promise<{ line: number, offset: number, characters: number, bytes: number } | null>}
 *   the
 *   first invalid byte, and how many characters beyond ASCII and invalid bytes its block has
 */
async function findInvalidUtf8(path, from) {
  let line = 1;
  let read = from;
  /** @type {{ line: number, offset: number, characters: number, bytes: number } | null} */
  let found = null;
  await readBlocks(
    path,
    from,
    (bytes, to, isLast) => {
      const end = isLast ? to : to - countCut(bytes, to);
      const block = bytes.subarray(0, end);
      if (isUtf8(block)) {
        for (let at = block.indexOf(LINE_FEED); at >= 0; at = block.indexOf(LINE_FEED, at + 1)) line += 1;
        read += end;
        return end;
      }
      const { first, characters, invalid } = inspect(block);
      for (let at = block.indexOf(LINE_FEED); at >= 0 && at < first; at = block.indexOf(LINE_FEED, at + 1))
        line += 1;
      found = { line, offset: read + first, characters, bytes: invalid };
      return -1;
    },
    MAX_REST_BYTES,
  );
  return found;
}

/** Bytes of a character that the block's end cuts. @param {Buffer} bytes @param {number} to */
function countCut(bytes, to) {
  for (let back = 1; back <= Math.min(MAX_REST_BYTES, to); back += 1) {
    const byte = Number(bytes[to - back]);
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** @param {Buffer} block */
function inspect(block) {
  let first = -1;
  let characters = 0;
  let invalid = 0;
  for (let at = 0; at < block.length; ) {
    const byte = Number(block[at]);
    const length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (length === 1) at += 1;
    else if (isUtf8(block.subarray(at, at + length))) {
      characters += 1;
      at += length;
    } else {
      if (first < 0) first = at;
      invalid += 1;
      at += 1;
    }
  }
  return { first, characters, invalid };
}

/**
 * @param {import('./load-table.mjs').Source} source
 * @param {string} charset
 * @param {boolean} [isGuess]
 * @returns {Promise<Utf8File>}
 */
async function transcode({ path, scratch }, charset, isGuess = false) {
  const { createDecoder } = await loadCharsets();
  const decoder = createDecoder(charset, { fatal: true });
  /** @param {Uint8Array} [bytes] the end of the text if omitted */
  const decode = (bytes) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new Refusal(`the file is not valid ${charset}. ${PASS}`);
    }
  };
  await writeBounded(scratch, async (write) => {
    await readBlocks(
      path,
      0,
      async (bytes, to) => {
        const text = decode(bytes.subarray(0, to));
        if (isGuess && CONTROL.test(text))
          throw new Refusal(`the file is not UTF-8, and its encoding cannot be guessed. ${PASS}`);
        await write(text);
        return to;
      },
      0,
    );
    await write(decode());
  });
  const note = `The file is not UTF-8; ${charset} was assumed. If letters are wrong, pass encoding.`;
  return { path: scratch, offset: 0, encoding: charset, notes: isGuess ? [note] : [] };
}
