// Decodes fetched text as browsers do: after the Encoding, HTML and XML standards.
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { createDecoder, findCharset } from './charset.mjs';

/** The HTML standard looks here for a `<meta>` outside of the head, too. */
const PRESCAN_BYTES = 1_024;
/** At most 10 ms of work each, between which other calls run. */
const SCAN_BYTES = 16 * 1_024;
const DECODE_BYTES = 128 * 1_024;
/** Tags that do not end the head. */
const HEAD_TAGS = new Set('html head meta title base link style script noscript template object'.split(' '));

/**
 * Decodes a text with the charset of its byte order mark, of the header, or of its own declaration
 * (`<meta>` of HTML, `encoding=` of XML). Without one it is UTF-8 if valid, else windows-1252. JSON
 * that is valid UTF-8 is UTF-8 whatever the header says (RFC 8259).
 * @param {Uint8Array} bytes
 * @param {string} [contentType] the header; unknown charsets in it do not count
 * @param {{ cut?: boolean }} [options] `cut`: the bytes are the beginning of a text, and may end
 *   within a character, which is left out
 * @returns {Promise<{ text: string, charset: string }>} `charset`: as the Encoding standard names
 *   it, in lower case
 */
export async function decodeText(bytes, contentType = '', { cut = false } = {}) {
  const media = (contentType.split(/[;,]/)[0] ?? '').trim().toLowerCase();
  const utf8 = () => (isValidUtf8(bytes, cut) ? 'utf-8' : undefined);
  const charset =
    readByteOrderMark(bytes) ??
    (/[/+-](json|jsonl|ndjson)$/.test(media) ? utf8() : undefined) ??
    readHeader(contentType) ??
    (await readDeclaration(bytes, media)) ??
    utf8() ??
    'windows-1252';
  const decoder = createDecoder(charset);
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += DECODE_BYTES) {
    if (at > 0) await setImmediate();
    text += decoder.decode(bytes.subarray(at, at + DECODE_BYTES), { stream: true });
  }
  return { text: cut ? text : text + decoder.decode(), charset };
}

/** @param {Uint8Array} bytes */
function readByteOrderMark(bytes) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** @param {Uint8Array} bytes @param {boolean} cut */
function isValidUtf8(bytes, cut) {
  if (isUtf8(bytes)) return true;
  if (!cut) return false;
  try {
    createDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} contentType */
function readHeader(contentType) {
  const label = /[;,]\s*charset\s*=\s*["']?([^"';,]*)/i.exec(contentType)?.[1];
  return label === undefined ? undefined : findCharset(label);
}

/** @param {Uint8Array} bytes @param {string} media type without parameters; empty if unknown */
async function readDeclaration(bytes, media) {
  const isHtml = media === 'text/html' || media === '';
  if (!isHtml && !/[/+]xml$/.test(media)) return undefined;
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1');
  if (start.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (start.startsWith('\0<\0?\0x')) return 'utf-16be';
  const fromMeta = isHtml ? await findMeta(bytes) : undefined;
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*(["'])([^"'>]*)\1/.exec(start)?.[2];
  return fromMeta ?? (label === undefined ? undefined : toAsciiCompatible(findCharset(label)));
}

/**
 * A declaration that was read as ASCII cannot be right about UTF-16: the standard takes UTF-8.
 * @param {string | undefined} charset
 */
function toAsciiCompatible(charset) {
  return charset?.startsWith('utf-16') ? 'utf-8' : charset;
}

/**
 * Finds the charset in a `<meta>` of the head, however long the head is, or of the first bytes.
 * @param {Uint8Array} bytes
 */
async function findMeta(bytes) {
  const html = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!/charset/i.test(html)) return undefined;
  /** @type {string | undefined} */
  let found;
  let inHead = true;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'meta') found ??= readMeta(attributes);
      if (!HEAD_TAGS.has(tag)) inHead = false;
    },
    onclosetag(tag) {
      if (tag === 'head') inHead = false;
    },
  });
  for (let at = 0; at < html.length && found === undefined && (inHead || at < PRESCAN_BYTES); ) {
    if (at > PRESCAN_BYTES) await setImmediate();
    const end = at + (at === 0 ? PRESCAN_BYTES : SCAN_BYTES);
    parser.write(html.slice(at, end));
    at = end;
  }
  return found;
}

/** @param {Record<string, string>} attributes of a `<meta>` */
function readMeta(attributes) {
  const isPragma = attributes['http-equiv']?.toLowerCase() === 'content-type';
  const content = isPragma ? attributes.content : undefined;
  const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s;][^\s;]*))/i.exec(content ?? '');
  const pragma = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
  const charset = toAsciiCompatible(findCharset(attributes.charset ?? '') ?? findCharset(pragma));
  return charset === 'x-user-defined' ? 'windows-1252' : charset;
}
