import type { Runtime } from '../../core/runtime';
import { guarded, logUncaught } from '../../kit/guarded';
import { recordRun } from '../../platform/background/record-run';
import { type SweepReport, sweep } from './sweep';

const MINUTE_MS = 60_000;
/** Not during startup, and not in all processes at the same time. */
const FIRST_MS = { from: 3 * MINUTE_MS, to: 10 * MINUTE_MS };
const EVERY_MS = { from: 54 * MINUTE_MS, to: 66 * MINUTE_MS };

/** Sweeps about once an hour, without keeping the process alive. */
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

  /** Schedules no further sweep; a running one ends after its current transaction. */
  async stop(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #after({ from, to }: { from: number; to: number }): void {
    const sweepNow = guarded(() => {
      this.#running = recordSweep(this.#runtime, this.#abort.signal)
        .catch(logUncaught)
        .then(() => {
          if (!this.#abort.signal.aborted) this.#after(EVERY_MS);
        });
    });
    this.#timer = setTimeout(sweepNow, from + Math.random() * (to - from));
    this.#timer.unref();
  }
}

/** Sweeps, and records the run for operators: another process may sweep, and parts may fail. */
export async function recordSweep(runtime: Runtime, signal: AbortSignal): Promise<SweepReport> {
  const run = async () => {
    const report = await sweep(runtime, signal);
    if (report.elsewhere) return { report, skipped: true };
    const { failed } = report;
    return { report, ...(failed.length > 0 && { problem: `Failed parts: ${failed.join(', ')}` }) };
  };
  return (await recordRun(runtime, { name: 'sweep', everySeconds: 3_600 }, run)).report;
}
