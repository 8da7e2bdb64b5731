import type { Sql } from '@/db/client';

/** The one channel on which processes tell each other that something they may wait for has happened. */
const CHANNEL = 'gateway';
/** Told or not, a waiter looks again after this long: a notice may be lost with its connection. */
const RECHECK_MS = 10_000;
/** Not for each who waits: a LISTEN that fails costs a connection. */
const LISTEN_RETRY_MS = 1_000;

/**
 * What is told: a call has ended or become a job, has new log lines, shall stop; an answer was kept; a top-up was tried;
 * there is a card to charge or a mail to send; the imported tools are others now.
 */
export type Topic =
  | `call:${string}`
  | `log:${string}`
  | `cancel:${string}`
  | `key:${string}`
  | `topup:${string}`
  | 'money'
  | 'tools';

/** @param missed true where nothing was said, but something may have been missed: after a reconnection, at the end */
type Tell = (missed: boolean) => void;

export interface Waiting {
  timeoutMs: number;
  /** Aborted when nobody wants the answer any more. */
  signal?: AbortSignal;
}

/**
 * Waits on Postgres' LISTEN for the whole process, on one connection outside the pool, however many wait. A topic only
 * says "look again": what is true is read from the tables.
 */
export class Notices {
  readonly #sql: Sql;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Map<string, Set<Tell>>();
  #listening: Promise<unknown> | undefined;
  readonly #telling = new Set<string>();
  #closed = false;
  #waiting = 0;

  constructor(sql: Sql, onError: (error: unknown) => void) {
    this.#sql = sql;
    this.#onError = onError;
  }

  /** How many wait now. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Calls `tell` at every notice of the topic, and whenever some may have been missed. Returns how to stop it. */
  on(topic: Topic, tell: Tell): () => void {
    void this.#listen();
    let set = this.#listeners.get(topic);
    if (!set) {
      set = new Set();
      this.#listeners.set(topic, set);
    }
    set.add(tell);
    return () => {
      set.delete(tell);
      if (set.size === 0 && this.#listeners.get(topic) === set) this.#listeners.delete(topic);
    };
  }

  /**
   * Reads until there is something, looking again at each notice of the topic.
   * @returns what was read, or null when the time was over, the signal aborted or the process stops
   */
  async untilFound<T>(
    topic: Topic,
    read: () => Promise<T | null>,
    { timeoutMs, signal }: Waiting,
  ): Promise<T | null> {
    const end = performance.now() + timeoutMs;
    let told = false;
    let wake: (() => void) | undefined;
    // Before the first look: what happens between look and wait must not be missed.
    const off = this.on(topic, () => {
      told = true;
      wake?.();
    });
    this.#waiting++;
    try {
      await this.#listen();
      for (;;) {
        told = false;
        const found = await read();
        if (found !== null) return found;
        const left = end - performance.now();
        if (left <= 0 || signal?.aborted || this.#closed) return null;
        if (told) continue;
        await new Promise<void>((done) => {
          const end = () => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', end);
            wake = undefined;
            done();
          };
          const timer = setTimeout(end, Math.min(left, RECHECK_MS));
          wake = end;
          signal?.addEventListener('abort', end, { once: true });
        });
      }
    } finally {
      this.#waiting--;
      off();
    }
  }

  /** Wakes all who wait; nobody waits any more. */
  close(): void {
    this.#closed = true;
    this.#tellAll();
  }

  async #listen(): Promise<void> {
    if (this.#closed) return;
    this.#listening ??= this.#sql
      .listen(
        CHANNEL,
        (topic) => this.#tell(topic),
        // Also after each reconnection: what was said meanwhile is lost.
        () => this.#tellAll(),
      )
      .catch((error) => {
        this.#onError(error);
        setTimeout(() => {
          this.#listening = undefined;
        }, LISTEN_RETRY_MS).unref();
      });
    await this.#listening;
  }

  /** The driver keeps what it was given at a LISTEN that failed, and then tells of one notice more than once. */
  #tell(topic: string): void {
    if (this.#telling.has(topic)) return;
    this.#telling.add(topic);
    queueMicrotask(() => this.#telling.delete(topic));
    for (const tell of [...(this.#listeners.get(topic) ?? [])]) tell(false);
  }

  #tellAll(): void {
    for (const set of [...this.#listeners.values()]) for (const tell of [...set]) tell(true);
  }
}
