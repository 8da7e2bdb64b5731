import { createHash } from 'node:crypto';

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

/**
 * SHA-256 of an operation and its body, independent of member order and white space.
 * @throws RangeError if the body is nested too deeply to serialize
 */
export function fingerprint(operation: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${operation}\n${canonicalJson(body)}`)
    .digest();
}

/** Serializes to JSON with sorted members. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** Recursive, because a JSON replacer would be called for each of up to half a million numbers. */
function sorted(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.some(isObject) ? value.map(sorted) : value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
