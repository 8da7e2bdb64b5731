import { randomUUID } from 'node:crypto';
import { guarded } from '../../kit/guarded';

/**
 * The one channel on which processes tell each other that something they may wait for has happened.
 */
const CHANNEL = 'gateway';
/**
 * Told or not, a waiter looks again after this long, at the latest: a notice may be lost with its
 * connection. Many who began together look at times of their own, and those of about the same time
 * together: one statement serves them.
 */
const RECHECK_MS = 10_000;
const RECHECK_SPREAD_MS = 5_000;
const RECHECK_TICK_MS = 250;
/** Not for each who waits: a LISTEN that fails costs a connection. */
const LISTEN_RETRY_MS = 1_000;

/**
 * What is told: a call has ended or become a job, has new log lines, shall stop; an answer was
 * kept; a top-up was tried; there is a card to charge or a mail to send; the imported tools are
 * others now; a process asks itself whether it hears.
 */
export type Topic =
  | `call:${string}`
  | `log:${string}`
  | `cancel:${string}`
  | `key:${string}`
  | `topup:${string}`
  | `ping:${string}`
  | 'money'
  | 'tools'
  | `pulse:${string}`;

/**
 * @param missed true where nothing was said, but something may have been missed: after a
 *   reconnection, at the end
 */
type Tell = (missed: boolean) => void;

/** Of the driver: a statement, and LISTEN on a connection of its own. */
interface Listening {
  (statement: TemplateStringsArray, ...values: string[]): PromiseLike<unknown>;
  listen(channel: string, onNotice: (topic: string) => void, onListen: () => void): Promise<unknown>;
}

export interface Waiting {
  timeoutMs: number;
  /** Aborted when nobody wants the answer any more. */
  signal?: AbortSignal;
}

/**
 * Waits on Postgres' LISTEN for the whole process, on one connection outside the pool, however many
 * wait. A topic only says "look again": what is true is read from the tables.
 */
export class Notices {
  readonly #sql: Listening;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Map<string, Set<Tell>>();
  #listening: Promise<unknown> | undefined;
  readonly #telling = new Set<string>();
  readonly #dropListener: () => void;
  readonly #pulseMs: number;
  readonly #pulse: Topic = `pulse:${randomUUID()}`;
  /** Whether the last pulse was heard; null while none is on its way. */
  #heard: boolean | null = null;
  #pulseTimer: NodeJS.Timeout | undefined;
  #closed = false;
  #waiting = 0;

  /**
   * @param pool of which `dropListener` closes the connection that listens, so that the driver
   *   opens another
   * @param options `pulseMs` is how often the connection must receive a notice of this process:
   *   one that only listens would not find out that it is dead
   */
  constructor(
    pool: { sql: Listening; dropListener(): void },
    onError: (error: unknown) => void,
    { pulseMs }: { pulseMs: number },
  ) {
    this.#pulseMs = pulseMs;
    this.#sql = pool.sql;
    this.#dropListener = pool.dropListener;
    this.#onError = onError;
  }

  /** How many wait now. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Calls `tell` at every notice of the topic, and whenever some may have been missed. Returns how
   * to stop it.
   */
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
          const timer = setTimeout(end, Math.min(left, recheckMs()));
          wake = end;
          signal?.addEventListener('abort', end, { once: true });
        });
      }
    } finally {
      this.#waiting--;
      off();
    }
  }

  /**
   * Says something to itself, through the database.
   * @returns whether it was said, and whether it was heard in time
   */
  async hearsItself(withinMs: number): Promise<boolean> {
    const topic: Topic = `ping:${Math.random().toString(36).slice(2)}`;
    let heard = () => {};
    const hearing = new Promise<true>((done) => {
      heard = () => done(true);
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((done) => {
      timer = setTimeout(() => done(false), withinMs);
    });
    const off = this.on(topic, (missed) => missed || heard());
    try {
      await Promise.race([this.#listen(), late]);
      await this.#sql`select pg_notify(${CHANNEL}, ${topic})`;
      return await Promise.race([hearing, late]);
    } finally {
      clearTimeout(timer);
      off();
    }
  }

  /** Wakes all who wait; nobody waits any more. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#pulseTimer);
    this.#tellAll();
  }

  async #listen(): Promise<void> {
    if (this.#closed) return;
    this.#listening ??= this.#beginListening();
    await this.#listening;
  }

  async #beginListening(): Promise<void> {
    // Where the connection is there and says nothing: nobody else watches this statement.
    const late = setTimeout(guarded(this.#dropListener), this.#pulseMs);
    try {
      await this.#sql.listen(
        CHANNEL,
        (topic) => this.#tell(topic),
        // Also after each reconnection: what was said meanwhile is lost.
        () => this.#tellAll(),
      );
      if (!this.#closed)
        this.#pulseTimer ??= setInterval(
          guarded(() => this.#sendPulse()),
          this.#pulseMs,
        ).unref();
    } catch (error) {
      this.#onError(error);
      setTimeout(() => {
        this.#listening = undefined;
      }, LISTEN_RETRY_MS).unref();
    } finally {
      clearTimeout(late);
    }
  }

  /**
   * Where the last one was not heard, the connection is replaced: it is dead, or the whole database
   * is away.
   */
  #sendPulse(): void {
    if (this.#heard === false) {
      this.#heard = null;
      this.#dropListener();
      return;
    }
    this.#heard = false;
    this.#sql`select pg_notify(${CHANNEL}, ${this.#pulse})`.then(undefined, () => undefined);
  }

  /**
   * The driver keeps what it was given at a LISTEN that failed, and then tells of one notice more
   * than once.
   */
  #tell(topic: string): void {
    if (topic === this.#pulse) this.#heard = true;
    if (this.#telling.has(topic)) return;
    this.#telling.add(topic);
    queueMicrotask(() => this.#telling.delete(topic));
    for (const tell of [...(this.#listeners.get(topic) ?? [])]) this.#notify(tell, false);
  }

  #tellAll(): void {
    for (const set of [...this.#listeners.values()]) for (const tell of [...set]) this.#notify(tell, true);
  }

  /** One listener that fails keeps no other from its notice, nor the driver from its connection. */
  #notify(tell: Tell, missed: boolean): void {
    try {
      tell(missed);
    } catch (error) {
      this.#onError(error);
    }
  }
}

function recheckMs(): number {
  const now = performance.now();
  const at = now + RECHECK_MS - RECHECK_SPREAD_MS * Math.random();
  return Math.floor(at / RECHECK_TICK_MS) * RECHECK_TICK_MS - now;
}
