import { guarded } from './guarded';

/** Default limit of items per flush. */
const MAX_GROUP = 256;
/** Limit of characters per flush of more than one item: about 10 ms to serialize. */
const MAX_WEIGHT = 1_000_000;
/** Deadlocks and serialization failures roll the whole group back, so it can be sent again. */
const RETRYABLE = new Set(['40P01', '40001']);
const MAX_RETRIES = 3;
/** SQLSTATE classes that a single item causes: bad data, violated constraints. */
const ITEM_FAULT = /^(22|23)/;

interface PendingItem<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Combines concurrent requests into one statement. Requests that arrive during a flush form the
 * next one: under load one commit serves many calls, and without load a request does not wait.
 */
export class GroupCommit<Item, Result> {
  readonly #flush: (items: Item[]) => Promise<Result[]>;
  readonly #lanes: number;
  readonly #weigh: ((item: Item) => number) | undefined;
  readonly #most: number;
  #waiting: PendingItem<Item, Result>[] = [];
  #inFlight = 0;
  /** Flushes, items and the time they took so far, for the bench and for metrics. */
  readonly counts = { flushes: 0, items: 0, seconds: 0 };

  /**
   * @param flush applies the whole group atomically; the n-th result belongs to the n-th item
   * @param lanes how many flushes may run concurrently
   * @param weigh characters of an item that may be large, because a flush is serialized in one turn
   *   of the event loop
   * @param most limit of items per flush
   */
  constructor(
    flush: (items: Item[]) => Promise<Result[]>,
    lanes = 1,
    weigh?: (item: Item) => number,
    most = MAX_GROUP,
  ) {
    this.#flush = flush;
    this.#lanes = lanes;
    this.#weigh = weigh;
    this.#most = most;
  }

  /** Resolves with the item's result once the group that contains it has committed. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      // Deferred by one turn, so that requests parsed in the same turn of the event loop share a
      // flush.
      if (this.#inFlight < this.#lanes && this.#waiting.length === 1)
        setImmediate(guarded(() => this.#pump()));
    });
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#inFlight < this.#lanes) {
      const group = this.#waiting.splice(0, this.#nextSize());
      this.#inFlight++;
      void this.#run(group).finally(() => {
        this.#inFlight--;
        // Deferred, so that new requests, also those the results cause, join the next group.
        if (this.#waiting.length > 0) setImmediate(guarded(() => this.#pump()));
      });
    }
  }

  /** How many items the next flush takes, at least one. */
  #nextSize(): number {
    if (!this.#weigh) return this.#most;
    let size = 0;
    for (let weight = 0; size < Math.min(this.#waiting.length, this.#most); size++) {
      weight += this.#weigh((this.#waiting[size] as PendingItem<Item, Result>).item);
      if (size > 0 && weight > MAX_WEIGHT) break;
    }
    return size;
  }

  async #run(group: PendingItem<Item, Result>[]): Promise<void> {
    this.counts.flushes++;
    this.counts.items += group.length;
    const began = performance.now();
    try {
      const results = await this.#flushWithRetries(group.map((waiting) => waiting.item));
      this.counts.seconds += (performance.now() - began) / 1000;
      group.forEach((waiting, index) => {
        waiting.resolve(results[index] as Result);
      });
    } catch (error) {
      // The group was rolled back. Run each item alone, so that bad data fails only its own item.
      if (group.length > 1 && ITEM_FAULT.test(errorCode(error)))
        for (const waiting of group) await this.#run([waiting]);
      else for (const waiting of group) waiting.reject(error);
    }
  }

  async #flushWithRetries(items: Item[]): Promise<Result[]> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#flush(items);
      } catch (error) {
        if (attempt >= MAX_RETRIES || !RETRYABLE.has(errorCode(error))) throw error;
      }
    }
  }
}

function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
