/** The granted preferences of a Prefer header (RFC 7240). */
export interface Preference {
  /** The longest wait before the response, in seconds. */
  readonly waitSeconds: number;
  /** The value of Preference-Applied: the granted preferences as the client named them. */
  readonly applied: string;
}

/**
 * Reads `wait` (RFC 7240 section 4.3) and `respond-async` (section 4.1), which alone means no wait.
 * Malformed preferences are ignored, as the RFC requires.
 * @param maxSeconds upper bound of the wait
 */
export function readPreference(header: string | undefined, maxSeconds: number): Preference | undefined {
  if (header === undefined) return undefined;
  let respondAsync = false;
  let waitSeconds: number | undefined;
  for (const part of header.split(',')) {
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=').map((text) => text.trim());
    if (name.toLowerCase() === 'respond-async') respondAsync = true;
    if (name.toLowerCase() !== 'wait' || waitSeconds !== undefined) continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1];
    if (seconds !== undefined) waitSeconds = Math.min(Number(seconds), maxSeconds);
  }
  if (!respondAsync && waitSeconds === undefined) return undefined;
  const granted = [];
  if (respondAsync) granted.push('respond-async');
  if (waitSeconds !== undefined) granted.push(`wait=${waitSeconds}`);
  return { waitSeconds: waitSeconds ?? 0, applied: granted.join(', ') };
}
