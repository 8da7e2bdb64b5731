/** Calls of one key that may wait for a slot in one process: five full batches. More are refused as without a batch. */
const MAX_WAITING_PER_KEY = 50;
/** How soon the first in line looks again for a slot that nobody has told of, and how slow that becomes. */
const FIRST_LOOK_MS = 100;
const SLOWEST_LOOK_MS = 1000;

interface Line {
  waiting: number;
  /** Resolves when whoever came last has left. */
  last: Promise<void>;
}

/** Why a try came to nothing: no slot was free. */
export const NO_SLOT = Symbol('no slot');

/**
 * Lines of calls that wait for a slot of their key, in the order they came. Only the first of a line asks the database,
 * ever more slowly: a refused try uses no quota, so without a line one key could ask without end.
 */
export class SlotQueue {
  readonly #lines = new Map<string, Line>();
  readonly #mayBeFree: (keyId: string, withinMs: number) => Promise<void>;

  /** @param mayBeFree resolves when a call of the key has ended here, at the latest after the time */
  constructor(mayBeFree: (keyId: string, withinMs: number) => Promise<void>) {
    this.#mayBeFree = mayBeFree;
  }

  /**
   * Stands in line, from now on, and tries until there is a slot.
   * @param attempt opens the call, or finds no slot; throws where it shall not go on
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
      for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, SLOWEST_LOOK_MS)) {
        const found = await attempt();
        if (found !== NO_SLOT) return found;
        await this.#mayBeFree(keyId, lookMs);
      }
    } finally {
      leave();
      line.waiting--;
      if (line.waiting === 0) this.#lines.delete(keyId);
    }
  }

  /** Whether calls of this key wait. */
  hasLine(keyId: string): boolean {
    return this.#lines.has(keyId);
  }

  /** Whether one more may wait. */
  hasRoom(keyId: string): boolean {
    return (this.#lines.get(keyId)?.waiting ?? 0) < MAX_WAITING_PER_KEY;
  }

  /** Whether nobody waits. */
  get empty(): boolean {
    return this.#lines.size === 0;
  }
}
