import { GatewayError } from '../../core/errors/gateway-error';
import { policy, rateHeaders } from '../../core/limits/rate-headers';

/** Reading a larger result holds the event loop for up to 20 ms, and polls are free. */
const LARGE_BYTES = 256 * 1024;
const QUOTA = 30;
const WINDOW_SECONDS = 60;
/** Beyond these the oldest window is evicted, which bounds memory. */
const MAX_KEYS = 2_000;

interface Window {
  readonly endsAt: number;
  readonly jobs: Set<string>;
  reads: number;
}

/** Limits how often a key reads large results of jobs, in this process. */
export class LargeReads {
  readonly #windows = new Map<string, Window>();
  readonly #now: () => number;

  /** @param now a clock in seconds */
  constructor(now = () => performance.now() / 1000) {
    this.#now = now;
  }

  /**
   * To be called before a job is read: one that is known to be large is refused above the quota.
   * @throws GatewayError RATE_LIMIT_EXCEEDED
   */
  assertAllowed(keyId: string, jobId: string): void {
    const window = this.#windows.get(keyId);
    if (!window || window.endsAt <= this.#now() || window.reads < QUOTA || !window.jobs.has(jobId)) return;
    const seconds = Math.max(1, Math.ceil(window.endsAt - this.#now()));
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
    let window = this.#windows.get(keyId);
    if (!window || window.endsAt <= this.#now()) {
      window = { endsAt: this.#now() + WINDOW_SECONDS, jobs: new Set(), reads: 0 };
      this.#windows.delete(keyId);
      this.#windows.set(keyId, window);
      // The first was set first, so it ends first.
      const [oldest] = this.#windows.keys();
      if (this.#windows.size > MAX_KEYS && oldest !== undefined) this.#windows.delete(oldest);
    }
    window.reads += 1;
    window.jobs.add(jobId);
  }
}
