import { createHash } from 'node:crypto';

/**
 * Serializes a value as canonical JSON (RFC 8785): no white space, and the fields of objects sorted
 * by UTF-16 code units, which is the order of JavaScript's `sort`. Numbers and strings are written
 * as JSON.stringify writes them, as the RFC requires. An undefined value is null, a field omitted.
 */
export function canonicalJson(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value ?? null);
  // In one piece: an array may have half a million numbers.
  if (Array.isArray(value))
    return value.some(isObject) ? `[${value.map(canonicalJson).join(',')}]` : JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}

/** The SHA-256 of the canonical JSON, in hex. */
export function hashCanonicalJson(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
