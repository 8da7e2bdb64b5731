/**
 * The `wait` preference of a Prefer header (RFC 7240 section 4.3), in seconds; `respond-async` alone is `wait=0`.
 * Preferences are wishes: what is malformed counts as not said.
 * @param max the longest wait that is granted
 */
export function readPreferredWait(header: string | undefined, max: number): number | undefined {
  if (header === undefined) return undefined;
  let respondAsync = false;
  for (const part of header.split(',')) {
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=').map((text) => text.trim());
    if (name.toLowerCase() === 'respond-async') respondAsync = true;
    if (name.toLowerCase() !== 'wait') continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds), max);
  }
  return respondAsync ? 0 : undefined;
}
