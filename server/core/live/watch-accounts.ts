import { AsyncLocalStorage } from 'node:async_hooks';
import type { LiveName } from './schema';
import { changedNames, type Versions } from './versions';

export interface Watcher {
  /** A hash, as the session stands in the database. */
  sessionId: string;
  /** What the client knows; null where it knows nothing yet. */
  since: Versions | null;
  /** Told at the first look, also of nothing, and then whenever something has changed. */
  tell: (names: LiveName[], now: Versions) => void;
  /** The session is over, or the process stops. Nothing is told after it. */
  end: (reason: 'signed-out' | 'stopping') => void;
}

/**
 * Looks after what people's pages show, for all of them at once: while anybody watches, one
 * statement a second for the whole process. A paid call costs nothing more for it, and it sees what
 * any process has done.
 */
export class AccountWatch {
  readonly #read: (sessions: readonly string[]) => Promise<Map<string, Versions>>;
  readonly #onError: (error: unknown) => void;
  readonly #pollMs: number;
  readonly #watchers = new Set<Watcher>();
  /** Watchers come with requests, whose context (Next's) must not be carried from look to look. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #closed = false;
  /** Statements so far, for tests and meters. */
  looks = 0;

  /** @param pollMs between two statements, while there is a watcher */
  constructor(
    read: (sessions: readonly string[]) => Promise<Map<string, Versions>>,
    onError: (error: unknown) => void,
    pollMs: number,
  ) {
    this.#pollMs = pollMs;
    this.#read = read;
    this.#onError = onError;
  }

  /** How many watch now. */
  get watching(): number {
    return this.#watchers.size;
  }

  /** Watches until the returned function is called, or `end` was. */
  watch(watcher: Watcher): () => void {
    // A copy: `since` is moved on.
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

  /** Ends all. */
  close(): void {
    this.#closed = true;
    this.#stop();
    for (const watcher of [...this.#watchers]) this.#end(watcher, 'stopping');
  }

  #start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.#look(), this.#pollMs);
    this.#timer.unref();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    // A slow database is not asked more often for being slow.
    if (this.#looking) return;
    this.#looking = true;
    const asked = [...this.#watchers];
    try {
      this.looks++;
      const found = await this.#read([...new Set(asked.map(({ sessionId }) => sessionId))]);
      for (const watcher of asked) this.#tellSafely(watcher, found);
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#looking = false;
    }
  }

  /** One watcher that fails keeps no other from what has changed. */
  #tellSafely(watcher: Watcher, found: Map<string, Versions>): void {
    try {
      if (this.#watchers.has(watcher)) this.#tell(watcher, found);
    } catch (error) {
      this.#watchers.delete(watcher);
      this.#onError(error);
    }
  }

  #tell(watcher: Watcher & { told?: boolean }, found: Map<string, Versions>): void {
    const now = found.get(watcher.sessionId);
    if (!now) {
      this.#end(watcher, 'signed-out');
      return;
    }
    const names = changedNames(watcher.since, now);
    if (names.length === 0 && watcher.told) return;
    watcher.since = now;
    watcher.told = true;
    watcher.tell(names, now);
  }

  #end(watcher: Watcher, reason: 'signed-out' | 'stopping'): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size === 0) this.#stop();
    watcher.end(reason);
  }
}
