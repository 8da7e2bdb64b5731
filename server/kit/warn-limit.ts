/** Lets one warning pass in an interval, so that a lasting failure does not flood the log. */
export class WarnLimit {
  readonly #everyMs: number;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Calls `warn`, unless it was called within the interval. */
  warn(warn: () => void): void {
    const now = performance.now();
    if (now - this.#warnedAt < this.#everyMs) return;
    this.#warnedAt = now;
    warn();
  }
}
