/** Waiting calls per key and process: five full batches. Further calls are refused. */
const MAX_WAITING_PER_KEY = 50;
/**
 * Poll intervals of the first waiting call, for slots freed in other processes: start and maximum.
 */
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 1000;

interface KeyQueue {
  waiting: number;
  /** Resolves when the last call in the queue has left. */
  last: Promise<void>;
}

/** Returned by an attempt that found no free slot. */
export const NO_SLOT = Symbol('no slot');

/**
 * First-in, first-out queues of calls that wait for a concurrency slot of their key. Only the first
 * of a queue polls the database, with growing intervals: refused attempts use no quota, so a key
 * could otherwise poll without limit.
 */
export class SlotQueue {
  readonly #lines = new Map<string, KeyQueue>();
  readonly #mayBeFree: (keyId: string, withinMs: number) => Promise<void>;

  /**
   * @param waitForFreeSlot resolves when a call of the key ends in this process, or after the
   *   timeout
   */
  constructor(waitForFreeSlot: (keyId: string, withinMs: number) => Promise<void>) {
    this.#mayBeFree = waitForFreeSlot;
  }

  /**
   * Waits in the queue of the key, then runs the attempt until it gets a slot.
   * @param attempt opens the call or returns NO_SLOT; throws to give up
   */
  async wait<T>(keyId: string, attempt: () => Promise<T | typeof NO_SLOT>): Promise<T> {
    const line = this.#lines.get(keyId) ?? { waiting: 0, last: Promise.resolve() };
    this.#lines.set(keyId, line);
    line.waiting++;
    const before = line.last;
    let leave = () => {};
    line.last = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      await before;
      for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, MAX_POLL_MS)) {
        const found = await attempt();
        if (found !== NO_SLOT) return found;
        await this.#mayBeFree(keyId, pollMs);
      }
    } finally {
      leave();
      line.waiting--;
      if (line.waiting === 0) this.#lines.delete(keyId);
    }
  }

  /** Whether calls of this key wait. */
  hasWaiting(keyId: string): boolean {
    return this.#lines.has(keyId);
  }

  /** Whether one more call of this key may wait. */
  hasRoom(keyId: string): boolean {
    return (this.#lines.get(keyId)?.waiting ?? 0) < MAX_WAITING_PER_KEY;
  }

  /** True if no calls wait. */
  get empty(): boolean {
    return this.#lines.size === 0;
  }
}
