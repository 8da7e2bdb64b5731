interface OpenStream {
  accountId: string;
  leave: () => void;
}

/** Limits open streams: per account, where a new one replaces the oldest, and in total. */
export class StreamLimiter {
  readonly #perAccount: number;
  readonly #inAll: number;
  readonly #places = new Map<string, OpenStream[]>();
  #open = 0;

  constructor(perAccount: number, inAll: number) {
    this.#perAccount = perAccount;
    this.#inAll = inAll;
  }

  /** The number of open streams. */
  get open(): number {
    return this.#open;
  }

  /**
   * Opens a stream, closing the oldest one of the account if it has reached its limit.
   * @param onReplaced called when a newer stream replaces this one
   * @returns a function that frees it; null if the process has reached its limit
   */
  tryAcquire(accountId: string, onReplaced: () => void): (() => void) | null {
    const own = this.#places.get(accountId) ?? [];
    if (own.length < this.#perAccount && this.#open >= this.#inAll) return null;
    while (own.length >= this.#perAccount) own[0]?.leave();
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      this.#remove(place);
    };
    const place: OpenStream = {
      accountId,
      leave: () => {
        leave();
        onReplaced();
      },
    };
    own.push(place);
    this.#places.set(accountId, own);
    this.#open++;
    return leave;
  }

  #remove(place: OpenStream): void {
    const own = this.#places.get(place.accountId);
    const at = own?.indexOf(place) ?? -1;
    if (!own || at < 0) return;
    own.splice(at, 1);
    if (own.length === 0) this.#places.delete(place.accountId);
    this.#open--;
  }
}
