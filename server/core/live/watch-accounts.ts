import { AsyncLocalStorage } from 'node:async_hooks';
import type { LiveName } from './schema';
import { changedNames, type Versions } from './versions';

export interface Watcher {
  /** The session's hash, as stored in the database. */
  sessionId: string;
  /** The versions the client has; null if it has none. */
  since: Versions | null;
  /** Called after the first poll, even without changes, and then on every change. */
  notify: (names: LiveName[], now: Versions) => void;
  /** The session has ended, or the process is stopping. No calls follow. */
  end: (reason: 'signed-out' | 'stopping') => void;
}

/**
 * Detects changes for all open pages at once: one statement per second and process while there are
 * watchers. It adds no cost to paid calls and sees changes by any process.
 */
export class AccountWatch {
  readonly #read: (sessions: readonly string[]) => Promise<Map<string, Versions>>;
  readonly #onError: (error: unknown) => void;
  readonly #pollMs: number;
  readonly #watchers = new Set<Watcher>();
  /** Watchers are created in requests, and the timer must not inherit their (Next's) context. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #polling = false;
  #closed = false;
  /** Statements so far, for tests and metrics. */
  polls = 0;

  /** @param pollMs interval between two statements while there is a watcher */
  constructor(
    read: (sessions: readonly string[]) => Promise<Map<string, Versions>>,
    onError: (error: unknown) => void,
    pollMs: number,
  ) {
    this.#pollMs = pollMs;
    this.#read = read;
    this.#onError = onError;
  }

  /** The number of watchers. */
  get watching(): number {
    return this.#watchers.size;
  }

  /** Watches until the returned function is called or `end` was called. */
  watch(watcher: Watcher): () => void {
    // A copy, because `since` is updated.
    const own = { ...watcher };
    if (this.#closed) own.end('stopping');
    else {
      this.#watchers.add(own);
      this.#outside(() => this.#start());
    }
    return () => {
      this.#watchers.delete(own);
      if (this.#watchers.size === 0) this.#stop();
    };
  }

  /** Ends all watchers. */
  close(): void {
    this.#closed = true;
    this.#stop();
    for (const watcher of [...this.#watchers]) this.#end(watcher, 'stopping');
  }

  #start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.#poll(), this.#pollMs);
    this.#timer.unref();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #poll(): Promise<void> {
    // Skip a poll while the previous one is still running: do not overload a slow database.
    if (this.#polling) return;
    this.#polling = true;
    const asked = [...this.#watchers];
    try {
      this.polls++;
      const found = await this.#read([...new Set(asked.map(({ sessionId }) => sessionId))]);
      for (const watcher of asked) this.#notifySafely(watcher, found);
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#polling = false;
    }
  }

  /** Isolates failures: a watcher that throws must not keep others from being notified. */
  #notifySafely(watcher: Watcher, found: Map<string, Versions>): void {
    try {
      if (this.#watchers.has(watcher)) this.#notify(watcher, found);
    } catch (error) {
      this.#watchers.delete(watcher);
      this.#onError(error);
    }
  }

  #notify(watcher: Watcher & { notified?: boolean }, found: Map<string, Versions>): void {
    const now = found.get(watcher.sessionId);
    if (!now) {
      this.#end(watcher, 'signed-out');
      return;
    }
    const names = changedNames(watcher.since, now);
    if (names.length === 0 && watcher.notified) return;
    watcher.since = now;
    watcher.notified = true;
    watcher.notify(names, now);
  }

  #end(watcher: Watcher, reason: 'signed-out' | 'stopping'): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size === 0) this.#stop();
    watcher.end(reason);
  }
}
