import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { guarded } from '../../kit/guarded';
import { patchInternals } from '../../kit/patch-internals';

/** How long after its response a page may still use its context. */
const GRACE_MS = 250;

/**
 * Next stores page contexts in AsyncLocalStorage. While one is in use, Node 20 and 22 track every
 * promise of the process at seven times its cost, also for calls. This disables the storages while
 * no page is rendered; their next `run` enables them.
 */
export class PageContexts {
  /** Whether a storage is built on promise hooks: until Node 24, which has async context frames. */
  static readonly areCostly = '_enable' in AsyncLocalStorage.prototype;

  readonly #used = new Set<AsyncLocalStorage<unknown>>();
  readonly #answers = new Set<ServerResponse>();
  #leftAt = 0;
  #looking: NodeJS.Timeout | undefined;

  /**
   * Replaces the global class, which Next uses, and that of `require('async_hooks')`, which React
   * uses, with one that tracks their instances. Call before loading Next and React.
   */
  install(): void {
    patchInternals('page_contexts', () => {
      const hooks = createRequire(import.meta.url)('node:async_hooks');
      // Defined, because Node 22 has a getter there. Imports of ES modules keep the original class.
      Object.defineProperty(hooks, 'AsyncLocalStorage', { value: this.#createClass(isCreatedByNext) });
      Object.assign(globalThis, { AsyncLocalStorage: this.#createClass(() => true) });
    });
  }

  #createClass(isOfPages: () => boolean): typeof AsyncLocalStorage {
    const used = this.#used;
    return class PageStorage<T> extends AsyncLocalStorage<T> {
      readonly #isOfPages = isOfPages();

      override run<R, Args extends unknown[]>(store: T, run: (...args: Args) => R, ...args: Args): R {
        if (this.#isOfPages) used.add(this as AsyncLocalStorage<unknown>);
        return super.run(store, run, ...args);
      }

      override enterWith(store: T): void {
        if (this.#isOfPages) used.add(this as AsyncLocalStorage<unknown>);
        super.enterWith(store);
      }
    };
  }

  /** Keeps the contexts enabled until the page's work is done. */
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

  /** Whether contexts are enabled. */
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

/** Next brings React along. Contexts of other code, such as tracing, stay enabled. */
function isCreatedByNext(): boolean {
  return /[\\/]next[\\/]dist[\\/]/.test(new Error().stack ?? '');
}

/** A running stream needs no context, and may last for hours. */
function isEventStream(res: ServerResponse): boolean {
  return res.headersSent && String(res.getHeader('content-type') ?? '').startsWith('text/event-stream');
}
