import { GatewayError } from '../../core/errors/gateway-error';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import { WindowMap } from '../../kit/window-map';

/** Reading a larger result holds the event loop for up to 20 ms, and polls are free. */
const LARGE_BYTES = 256 * 1024;
const QUOTA = 30;
const WINDOW_SECONDS = 60;
/** Beyond these the oldest window is evicted, which bounds memory. */
const MAX_KEYS = 2_000;

/** Limits how often a key reads large results of jobs, in this process. */
export class LargeReads {
  readonly #windows: WindowMap<{ readonly jobs: Set<string>; reads: number }>;

  /** @param now a clock in seconds */
  constructor(now?: () => number) {
    const bounds = { seconds: WINDOW_SECONDS, most: MAX_KEYS };
    this.#windows = new WindowMap(() => ({ jobs: new Set<string>(), reads: 0 }), bounds, now);
  }

  /**
   * To be called before a job is read: one that is known to be large is refused above the quota.
   * @throws GatewayError RATE_LIMIT_EXCEEDED
   */
  assertAllowed(keyId: string, jobId: string): void {
    const window = this.#windows.find(keyId);
    if (!window || window.reads < QUOTA || !window.jobs.has(jobId)) return;
    const seconds = this.#windows.secondsLeft(keyId);
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: `This key has read results of more than ${LARGE_BYTES / 1024} KiB ${QUOTA} times within a minute, the maximum.`,
      hint: 'The job has ended: keep the result that you have read.',
      details: { limit: 'large-results', retry_after: seconds },
      headers: rateHeaders([policy('large-results', QUOTA, WINDOW_SECONDS, QUOTA, seconds)]),
    });
  }

  /** Counts a read of a result. */
  count(keyId: string, jobId: string, bytes: number): void {
    if (bytes <= LARGE_BYTES) return;
    const window = this.#windows.open(keyId);
    window.reads += 1;
    window.jobs.add(jobId);
  }
}
