import type { Runtime } from '../../core/runtime';
import { guarded, reportRaised } from '../../kit/guarded';
import { sweep } from './sweep';

const MINUTE_MS = 60_000;
/** Not while the process is busy starting, and not all processes at once. */
const FIRST_MS = { from: 3 * MINUTE_MS, to: 10 * MINUTE_MS };
const EVERY_MS = { from: 54 * MINUTE_MS, to: 66 * MINUTE_MS };

/** Sweeps now and then while the process lives, without keeping it alive. */
export class SweepTimer {
  readonly #runtime: Runtime;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  start(): void {
    this.#after(FIRST_MS);
  }

  /** No further sweep; one that runs ends after the transaction it is in. */
  async stop(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #after({ from, to }: { from: number; to: number }): void {
    const sweepNow = guarded(() => {
      this.#running = sweep(this.#runtime, this.#abort.signal)
        .catch(reportRaised)
        .then(() => {
          if (!this.#abort.signal.aborted) this.#after(EVERY_MS);
        });
    });
    this.#timer = setTimeout(sweepNow, from + Math.random() * (to - from));
    this.#timer.unref();
  }
}
