/**
 * How long a key skips the fast path after a rejection, so that refused calls do not cost a run.
 */
const BACKOFF_MS = 1_000;
const MAX_KEYS = 10_000;

/** Keys that the fast path rejected within the last second. */
export class FastPathBackoff {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  /** @param now clock in milliseconds; tests replace it */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  add(keyId: string): void {
    if (this.#until.size >= MAX_KEYS) this.#until.clear();
    this.#until.set(keyId, this.#now() + BACKOFF_MS);
  }

  has(keyId: string): boolean {
    if (this.#until.size === 0) return false;
    const until = this.#until.get(keyId);
    if (until === undefined) return false;
    if (this.#now() < until) return true;
    this.#until.delete(keyId);
    return false;
  }
}
