/**
 * Serializes a value as canonical JSON (RFC 8785): no white space, and the fields of objects sorted
 * by UTF-16 code units, which is the order of JavaScript's `sort`. Numbers and strings are written
 * as JSON.stringify writes them, as the RFC requires.
 * @param value a parsed JSON value
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}
