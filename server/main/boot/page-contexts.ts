import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { guarded } from '../../kit/guarded';

/** How long after its answer a page may still do something in its own context. */
const GRACE_MS = 250;

/**
 * Next keeps what belongs to a page in AsyncLocalStorage. On Node 20, while one is in use, each
 * promise of the process is followed: seven times its price, for calls that have nothing to do with
 * pages. So they are switched off when no page is being made; their next `run` switches them on
 * again.
 */
export class PageContexts {
  readonly #used = new Set<AsyncLocalStorage<unknown>>();
  readonly #answers = new Set<ServerResponse>();
  #leftAt = 0;
  #looking: NodeJS.Timeout | undefined;

  /**
   * Puts a class in the global's place that says which of its instances are used; before Next and
   * React are loaded.
   */
  install(): void {
    const used = this.#used;
    class PageStorage<T> extends AsyncLocalStorage<T> {
      override run<R, Args extends unknown[]>(store: T, run: (...args: Args) => R, ...args: Args): R {
        used.add(this as AsyncLocalStorage<unknown>);
        return super.run(store, run, ...args);
      }

      override enterWith(store: T): void {
        used.add(this as AsyncLocalStorage<unknown>);
        super.enterWith(store);
      }
    }
    Object.assign(globalThis, { AsyncLocalStorage: PageStorage });
  }

  /** A page is being made until this work is done. */
  async follow(res: ServerResponse, work: Promise<void>): Promise<void> {
    this.#answers.add(res);
    this.#looking ??= setInterval(
      guarded(() => this.#park()),
      GRACE_MS,
    ).unref();
    try {
      await work;
    } finally {
      this.#answers.delete(res);
      this.#leftAt = performance.now();
    }
  }

  /** Whether contexts are in use. */
  get active(): boolean {
    return this.#used.size > 0;
  }

  #park(): void {
    if (performance.now() - this.#leftAt < GRACE_MS) return;
    for (const res of this.#answers) if (!isEventStream(res)) return;
    for (const storage of this.#used) storage.disable();
    this.#used.clear();
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}

/** Once it flows it needs no context, and it may flow for hours. */
function isEventStream(res: ServerResponse): boolean {
  return res.headersSent && String(res.getHeader('content-type') ?? '').startsWith('text/event-stream');
}
