// Labels and decoders of the Encoding standard. Node's own decoders deviate from it: Node 20 reads
// windows-1252 as Latin-1, and ICU has other tables for euc-kr, big5 and gbk.
import { normalizeEncoding, TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js';

/**
 * Finds the charset that a label such as `latin1` or ` UTF8 ` stands for.
 * @param {string} label
 * @returns {string | undefined} the standard's name in lower case, such as `windows-1252`, or
 *   `undefined` for an unknown label. `replacement` stands for charsets that browsers refuse.
 */
export function findCharset(label) {
  return normalizeEncoding(label) ?? undefined;
}

/**
 * Creates a decoder, used like `TextDecoder`: `decode(bytes)`, or `decode(part, { stream: true })`
 * for each part and `decode()` at the end. It removes the byte order mark of its charset.
 * @param {string} charset a name from `findCharset`
 * @param {{ fatal?: boolean }} [options] `fatal`: malformed bytes throw a TypeError instead of
 *   becoming U+FFFD
 * @returns {Pick<TextDecoder, 'decode'>}
 */
export function createDecoder(charset, { fatal = false } = {}) {
  if (charset !== 'replacement') return new StandardDecoder(charset, { fatal });
  let empty = true;
  return {
    decode(bytes) {
      if (!empty || !bytes?.byteLength) return '';
      if (fatal) throw new TypeError('The charset has no decoder');
      empty = false;
      return '\uFFFD';
    },
  };
}
