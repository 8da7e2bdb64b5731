import { AsyncLocalStorage } from 'node:async_hooks';
import { guarded } from './guarded';

/** Work that is due some time after it was asked for, one run at a time. */
export class DelayedWork {
  /** Must not reject. */
  readonly #work: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;
  /** It is asked for in requests, and the timer must not inherit their (Next's) context. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Runs it after the delay, unless it is due already. */
  schedule(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer ??= this.#outside(() =>
      setTimeout(
        guarded(() => {
          this.#timer = undefined;
          void this.run();
        }),
        delayMs,
      ).unref(),
    );
  }

  /** Runs it now, or waits for the run in progress. */
  run(): Promise<void> {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Runs it a last time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.run();
  }
}
