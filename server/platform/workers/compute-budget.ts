/** How much unpaid computing an account may accumulate, in milliseconds. */
const CAPACITY_MS = 60_000;
/** How much of it is restored per millisecond: a fifth of a core. */
const REFILL = 0.2;
/** How many accounts are remembered; those with nothing spent are forgotten first. */
const MAX_ACCOUNTS = 10_000;
/** Finding those takes a millisecond, so it is not done on every spending above the limit. */
const SWEEP_GAP_MS = 1_000;

/** Counts worker time of each account's free and failed calls, as one leaky bucket per account. */
export class ComputeBudget {
  readonly #accounts = new Map<string, { spentMs: number; at: number }>();
  readonly #now: () => number;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts spent time; a negative number refunds time that was paid after all. */
  spend(accountId: string, ms: number): void {
    const spentMs = Math.max(0, this.#spentMs(accountId) + ms);
    this.#accounts.delete(accountId);
    if (spentMs > 0) this.#accounts.set(accountId, { spentMs, at: this.#now() });
    if (this.#accounts.size > MAX_ACCOUNTS) this.#forget();
  }

  isExceeded(accountId: string): boolean {
    return this.#spentMs(accountId) > CAPACITY_MS;
  }

  #spentMs(accountId: string): number {
    const account = this.#accounts.get(accountId);
    return account ? Math.max(0, account.spentMs - (this.#now() - account.at) * REFILL) : 0;
  }

  #forget(): void {
    const now = this.#now();
    if (now - this.#sweptAt >= SWEEP_GAP_MS) {
      this.#sweptAt = now;
      for (const accountId of this.#accounts.keys())
        if (this.#spentMs(accountId) === 0) this.#accounts.delete(accountId);
    }
    // Otherwise the account that has spent nothing for longest.
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > MAX_ACCOUNTS && oldest !== undefined) this.#accounts.delete(oldest);
  }
}
