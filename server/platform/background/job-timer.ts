import type { Runtime } from '../../core/runtime';
import { guarded } from '../../kit/guarded';
import { recordRun } from './record-run';

/** First runs are spread over this time, so that processes and jobs do not all start at once. */
const FIRST_MS = 60_000;

/** A job that repeats while the process lives. */
export interface RepeatingJob {
  name: string;
  /** Interval between runs. */
  everyMs: number;
  /** Whether a notice of money to move or an email to send starts a run at once. */
  onNotice?: boolean | undefined;
  /** False if the job records its runs itself, because only some of its ticks are runs. */
  recorded?: boolean;
  /** Errors are logged. The signal is aborted when the process is about to stop. */
  run(runtime: Runtime, signal: AbortSignal): Promise<unknown>;
}

/**
 * Runs background jobs while the process lives, without keeping it alive: one run of each job at a
 * time, and none after `stop`.
 */
export class JobTimer {
  readonly #runtime: Pick<Runtime, 'notices'>;
  readonly #rounds: Rounds[];
  readonly #abort = new AbortController();
  #off: (() => void) | undefined;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(runtime: Runtime, jobs: readonly RepeatingJob[]) {
    this.#runtime = runtime;
    this.#rounds = jobs.map((job) => new Rounds(runtime, job, this.#abort.signal));
  }

  start(): void {
    for (const rounds of this.#rounds) this.#repeat(rounds);
    const wake = () => {
      for (const rounds of this.#rounds) if (rounds.job.onNotice) rounds.wake();
    };
    this.#off = this.#runtime.notices.on('money', wake);
    // Handles notices sent before this process listened.
    wake();
  }

  /** Starts no further run; running ones end after their current step. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#off?.();
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#rounds.map(({ running }) => running));
  }

  #repeat(rounds: Rounds): void {
    const { everyMs } = rounds.job;
    const first = guarded(() => {
      rounds.wake();
      this.#timers.push(
        setInterval(
          guarded(() => rounds.wake()),
          everyMs,
        ).unref(),
      );
    });
    this.#timers.push(setTimeout(first, Math.random() * Math.min(everyMs, FIRST_MS)).unref());
  }
}

/** Runs a job once, and records the run for operators. */
export async function runJob(
  runtime: Runtime,
  { name, everyMs, recorded = true, run }: RepeatingJob,
  signal: AbortSignal,
): Promise<unknown> {
  const work = () => run(runtime, signal);
  return await (recorded ? recordRun(runtime, { name, everySeconds: everyMs / 1000 }, work) : work());
}

/** The runs of one job: a wake-up during a run causes another run after it. */
class Rounds {
  readonly job: RepeatingJob;
  readonly #runtime: Runtime;
  readonly #signal: AbortSignal;
  #again = false;
  running: Promise<void> | undefined;

  constructor(runtime: Runtime, job: RepeatingJob, signal: AbortSignal) {
    this.#runtime = runtime;
    this.job = job;
    this.#signal = signal;
  }

  wake(): void {
    this.#again = true;
    this.running ??= this.#runAll();
  }

  async #runAll(): Promise<void> {
    // Defers by a microtask, so that `running` is set first.
    await undefined;
    while (this.#again && !this.#signal.aborted) {
      this.#again = false;
      try {
        await runJob(this.#runtime, this.job, this.#signal);
      } catch (error) {
        this.#runtime.log.error('money_job.failed', { job: this.job.name, error });
      }
    }
    this.running = undefined;
  }
}
