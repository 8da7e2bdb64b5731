/** The granted preferences of a Prefer header (RFC 7240). */
export interface Preference {
  /** The longest wait before the response, in seconds; undefined if the client named none. */
  readonly waitSeconds: number | undefined;
  /** The part of Preference-Applied about the wait, as the client named it. */
  readonly applied: string | undefined;
  /** The client wants a signed receipt. Whether it gets one is known with the result. */
  readonly receipt: boolean;
}

/**
 * Reads `wait` (RFC 7240 section 4.3), `respond-async` (section 4.1), which alone means no wait,
 * and our own `receipt`. Malformed preferences are ignored, as the RFC requires.
 * @param maxSeconds upper bound of the wait
 */
export function readPreference(header: string | undefined, maxSeconds: number): Preference | undefined {
  if (header === undefined) return undefined;
  let respondAsync = false;
  let receipt = false;
  let waitSeconds: number | undefined;
  for (const part of header.split(',')) {
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=').map((text) => text.trim());
    const preference = name.toLowerCase();
    if (preference === 'respond-async') respondAsync = true;
    if (preference === 'receipt') receipt = true;
    if (preference !== 'wait' || waitSeconds !== undefined) continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1];
    if (seconds !== undefined) waitSeconds = Math.min(Number(seconds), maxSeconds);
  }
  if (!respondAsync && waitSeconds === undefined)
    return receipt ? { waitSeconds, applied: undefined, receipt } : undefined;
  const granted = [];
  if (respondAsync) granted.push('respond-async');
  if (waitSeconds !== undefined) granted.push(`wait=${waitSeconds}`);
  return { waitSeconds: waitSeconds ?? 0, applied: granted.join(', '), receipt };
}
