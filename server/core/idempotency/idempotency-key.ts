import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kit/canonical-json';

export const MAX_IDEMPOTENCY_KEY = 255;
const PRINTABLE = /^[\x20-\x7e]+$/;
const SF_STRING = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Parses an Idempotency-Key header: 1 to 255 printable characters, bare or as a quoted sf-string
 * (draft-ietf-httpapi-idempotency-key-header-07, RFC 9651 section 3.3.3). Both forms name the same
 * key.
 * @returns null if malformed, or if the header was sent twice
 */
export function parseIdempotencyKey(header: string): string | null {
  const text = header.replace(/^[ \t]+|[ \t]+$/g, '');
  const key = text.startsWith('"') ? SF_STRING.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') : bareKey(text);
  return key !== undefined && key.length <= MAX_IDEMPOTENCY_KEY && PRINTABLE.test(key) ? key : null;
}

/**
 * Node joins repeated headers with a comma and a space: reject instead of guessing which was meant.
 */
function bareKey(text: string): string | undefined {
  return text.includes(', ') ? undefined : text;
}

/** A field whose name is an integer, which JavaScript puts first. */
const INTEGER_NAME = /"\d+":/;

/**
 * SHA-256 of an operation and its body, independent of member order and white space. It is stored,
 * so it stays the same for ever.
 * @throws RangeError if the body is nested too deeply to serialize
 */
export function fingerprint(operation: string, body: unknown): Buffer {
  const text = canonicalJson(body);
  // Stored fingerprints have fields with such names in the order of JavaScript, not of RFC 8785.
  // Cannot throw: canonicalJson wrote it
  const stored = INTEGER_NAME.test(text) ? JSON.stringify(JSON.parse(text)) : text;
  return createHash('sha256').update(`${operation}\n${stored}`).digest();
}
