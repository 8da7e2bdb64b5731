// Decodes a page with the character set from its byte order mark, the header or its own head.

const HEAD_BYTES = 1024;

/**
 * @param {Uint8Array} bytes
 * @param {string} contentType the header, which takes precedence over the page's own declaration
 * @returns {string}
 */
export function decodeHtml(bytes, contentType) {
  const named =
    detectByteOrderMark(bytes) ??
    charsetIn(contentType) ??
    charsetIn(Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1'));
  if (named !== undefined) {
    try {
      return new TextDecoder(named).decode(bytes);
    } catch {
      // Unknown character set: use the defaults below.
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** @param {Uint8Array} bytes */
function detectByteOrderMark(bytes) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** @param {string} text a header, or the beginning of a page */
function charsetIn(text) {
  return /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text)?.[1];
}
