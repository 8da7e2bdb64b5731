interface Place {
  accountId: string;
  leave: () => void;
}

/** How many streams may be open: so many of one account, whose oldest then goes, and so many in all. */
export class StreamPlaces {
  readonly #perAccount: number;
  readonly #inAll: number;
  readonly #places = new Map<string, Place[]>();
  #open = 0;

  constructor(perAccount: number, inAll: number) {
    this.#perAccount = perAccount;
    this.#inAll = inAll;
  }

  /** How many are open now. */
  get open(): number {
    return this.#open;
  }

  /**
   * Takes a place, from the oldest of the account where it has all of its own.
   * @param makeRoom called when a newer stream takes this place
   * @returns how to leave it; null where the process has no place left for anybody
   */
  take(accountId: string, makeRoom: () => void): (() => void) | null {
    const own = this.#places.get(accountId) ?? [];
    if (own.length < this.#perAccount && this.#open >= this.#inAll) return null;
    while (own.length >= this.#perAccount) own[0]?.leave();
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      this.#remove(place);
    };
    const place: Place = {
      accountId,
      leave: () => {
        leave();
        makeRoom();
      },
    };
    own.push(place);
    this.#places.set(accountId, own);
    this.#open++;
    return leave;
  }

  #remove(place: Place): void {
    const own = this.#places.get(place.accountId);
    const at = own?.indexOf(place) ?? -1;
    if (!own || at < 0) return;
    own.splice(at, 1);
    if (own.length === 0) this.#places.delete(place.accountId);
    this.#open--;
  }
}
