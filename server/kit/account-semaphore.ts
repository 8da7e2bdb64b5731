/** Limits how many requests of one account may wait in this process; further ones do not wait. */
export class AccountSemaphore {
  readonly #waiting = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns a function that ends the wait, to be called once, or null if too many wait. */
  tryAcquire(accountId: string): (() => void) | null {
    const waiting = this.#waiting.get(accountId) ?? 0;
    if (waiting >= this.#most) return null;
    this.#waiting.set(accountId, waiting + 1);
    return () => {
      const left = (this.#waiting.get(accountId) ?? 1) - 1;
      if (left > 0) this.#waiting.set(accountId, left);
      else this.#waiting.delete(accountId);
    };
  }
}
