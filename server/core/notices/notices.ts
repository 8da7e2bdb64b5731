import { randomUUID } from 'node:crypto';
import { guarded } from '../../kit/guarded';

/** The one LISTEN channel on which processes notify each other. */
const CHANNEL = 'gateway';
/**
 * A waiter re-reads after this long at the latest, because a notification is lost if its connection
 * breaks. The times are spread to avoid a burst, and rounded to ticks so that nearby reads share a
 * statement.
 */
const RECHECK_MS = 10_000;
const RECHECK_SPREAD_MS = 5_000;
const RECHECK_TICK_MS = 250;
/** Delay for the process, not per waiter: a failed LISTEN costs a connection. */
const LISTEN_RETRY_MS = 1_000;

/**
 * Topics: a call ended or became a job, has new log lines, or was cancelled; an idempotency record
 * changed; a top-up was tried; a card must be charged or an email sent; a call or a webhook waits;
 * imported tools changed; an account began or stopped to store contents of calls; a process checks
 * its own connection.
 */
export type Topic =
  | `call:${string}`
  | `log:${string}`
  | `cancel:${string}`
  | `key:${string}`
  | `topup:${string}`
  | `ping:${string}`
  | 'money'
  | 'queue'
  | 'webhooks'
  | 'tools'
  | 'contents'
  | `pulse:${string}`;

/** @param missed true if notifications may have been lost: after a reconnection, or on close */
type Listener = (missed: boolean) => void;

/** The parts of the driver in use: a statement, and LISTEN on a dedicated connection. */
interface Listening {
  (statement: TemplateStringsArray, ...values: string[]): PromiseLike<unknown>;
  listen(channel: string, onNotice: (topic: string) => void, onListen: () => void): Promise<unknown>;
}

export interface Waiting {
  timeoutMs: number;
  /** Aborts when the result is no longer needed. */
  signal?: AbortSignal | undefined;
}

/**
 * Postgres LISTEN for the whole process, on one connection outside the pool, for any number of
 * waiters. A notification carries no data: waiters re-read the tables.
 */
export class Notices {
  readonly #sql: Listening;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Map<string, Set<Listener>>();
  #listening: Promise<unknown> | undefined;
  readonly #telling = new Set<string>();
  readonly #dropListener: () => void;
  readonly #pulseMs: number;
  readonly #pulse: Topic = `pulse:${randomUUID()}`;
  /** Whether the last pulse was received; null while none is pending. */
  #heard: boolean | null = null;
  #pulseTimer: NodeJS.Timeout | undefined;
  #closed = false;
  #waiting = 0;

  /**
   * @param pool `dropListener` closes the listening connection, so that the driver opens another
   *   one
   * @param options `pulseMs`: how often the process notifies itself, because a connection that only
   *   listens does not detect that it is dead
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

  /** The number of waiters. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Calls `listener` on every notification of the topic, and when some may have been lost. Returns
   * the unsubscribe function.
   */
  on(topic: Topic, listener: Listener): () => void {
    void this.#listen();
    let set = this.#listeners.get(topic);
    if (!set) {
      set = new Set();
      this.#listeners.set(topic, set);
    }
    set.add(listener);
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.#listeners.get(topic) === set) this.#listeners.delete(topic);
    };
  }

  /**
   * Reads until `read` returns a value, again on each notification of one of the topics.
   * @returns the value; null on timeout, on abort, or when the process stops
   */
  async untilFound<T>(
    topics: Topic | readonly Topic[],
    read: () => Promise<T | null>,
    { timeoutMs, signal }: Waiting,
  ): Promise<T | null> {
    const end = performance.now() + timeoutMs;
    let notified = false;
    let wake: (() => void) | undefined;
    // Subscribed before the first read, so that no change between read and wait is missed.
    const notify = () => {
      notified = true;
      wake?.();
    };
    const offs = [topics].flat().map((topic) => this.on(topic, notify));
    this.#waiting++;
    try {
      await this.#listen();
      for (;;) {
        notified = false;
        const found = await read();
        if (found !== null) return found;
        const left = end - performance.now();
        if (left <= 0 || signal?.aborted || this.#closed) return null;
        if (notified) continue;
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
      for (const off of offs) off();
    }
  }

  /**
   * Sends a notification to itself through the database.
   * @returns whether it arrived within the time
   */
  async receivesOwnNotice(withinMs: number): Promise<boolean> {
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

  /** Wakes all waiters; later waits end at once. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#pulseTimer);
    this.#notifyAll();
  }

  async #listen(): Promise<void> {
    if (this.#closed) return;
    this.#listening ??= this.#beginListening();
    await this.#listening;
  }

  async #beginListening(): Promise<void> {
    // For a connection that is open but does not respond: no statement timeout applies here.
    const late = setTimeout(guarded(this.#dropListener), this.#pulseMs);
    try {
      await this.#sql.listen(
        CHANNEL,
        (topic) => this.#notifyTopic(topic),
        // Also after each reconnection: notifications sent in between are lost.
        () => this.#notifyAll(),
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
   * Replaces the connection if the last pulse was not received: the connection or database is down.
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

  /** Deduplicates: after a failed LISTEN, the driver delivers a notification more than once. */
  #notifyTopic(topic: string): void {
    if (topic === this.#pulse) this.#heard = true;
    if (this.#telling.has(topic)) return;
    this.#telling.add(topic);
    queueMicrotask(() => this.#telling.delete(topic));
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) this.#notify(listener, false);
  }

  #notifyAll(): void {
    for (const set of [...this.#listeners.values()])
      for (const listener of [...set]) this.#notify(listener, true);
  }

  /**
   * Isolates failures: a listener that throws must not affect other listeners or the connection.
   */
  #notify(listener: Listener, missed: boolean): void {
    try {
      listener(missed);
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
