const MINUTE = 60;
const HOUR = 3_600;

/** The delays before the retries, in seconds: 23.7 hours together. */
const DELAYS = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
] as const;

/** A receiver may delay its next attempt by this much with Retry-After. */
const MAX_RETRY_AFTER_SECONDS = HOUR;
/** Delays are shortened by up to this share: retries of one outage must not arrive at once. */
const JITTER = 0.2;

/**
 * The delay before the next attempt in seconds; null if the last attempt was made.
 * @param attempts made so far, at least one
 * @param retryAfter the value of the response's Retry-After header
 */
export function getRetryDelay(
  attempts: number,
  retryAfter: string | null,
  { now = new Date(), random = Math.random() }: { now?: Date; random?: number } = {},
): number | null {
  const planned = DELAYS[attempts - 1];
  if (planned === undefined) return null;
  const asked = Math.min(parseRetryAfter(retryAfter, now), MAX_RETRY_AFTER_SECONDS);
  return Math.max(planned * (1 - JITTER * random), asked);
}

/** Seconds or an HTTP date; 0 for anything else. */
function parseRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1000);
}
