/** How long a key whose call did not fit takes the way of all others: its refusals shall cost nobody a run. */
const UNFIT_MS = 1_000;
const MAX_UNFIT = 10_000;

/** Keys whose last instant call did not fit, for a moment. */
export class UnfitKeys {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  /** @param now for tests: another clock, in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  add(keyId: string): void {
    if (this.#until.size >= MAX_UNFIT) this.#until.clear();
    this.#until.set(keyId, this.#now() + UNFIT_MS);
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
