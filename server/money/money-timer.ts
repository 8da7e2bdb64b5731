import type { Runtime } from '../core/runtime';
import { guarded } from '../kit/guarded';
import { MONEY_JOBS } from './money-jobs';

/** Soon after the start, but not all processes and jobs at once. */
const FIRST_MS = 60_000;

/** Something that is done again and again while a process lives. */
export interface MoneyJob {
  name: string;
  /** How often it is done by itself. */
  everyMs: number;
  /** Whether a notice that there is money to move, or something to tell, has it done at once. */
  onNotice?: boolean;
  /** What it throws is logged. Once the signal is aborted the process is about to end. */
  run(runtime: Runtime, signal: AbortSignal): Promise<unknown>;
}

/**
 * Does the jobs of money while the process lives, without keeping it alive: each one round at a
 * time, none after the stop.
 */
export class MoneyTimer {
  readonly #runtime: Runtime;
  readonly #rounds: Rounds[];
  readonly #abort = new AbortController();
  #off: (() => void) | undefined;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(runtime: Runtime, jobs: readonly MoneyJob[] = MONEY_JOBS) {
    this.#runtime = runtime;
    this.#rounds = jobs.map((job) => new Rounds(runtime, job, this.#abort.signal));
  }

  start(): void {
    for (const rounds of this.#rounds) this.#repeat(rounds);
    const wake = () => {
      for (const rounds of this.#rounds) if (rounds.job.onNotice) rounds.wake();
    };
    this.#off = this.#runtime.notices.on('money', wake);
    // What was told while nobody listened.
    wake();
  }

  /** No further round; those that run end after the step they are in. */
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

/** The rounds of one job: whoever wakes it while one runs gets another one after it. */
class Rounds {
  readonly job: MoneyJob;
  readonly #runtime: Runtime;
  readonly #signal: AbortSignal;
  #again = false;
  running: Promise<void> | undefined;

  constructor(runtime: Runtime, job: MoneyJob, signal: AbortSignal) {
    this.#runtime = runtime;
    this.job = job;
    this.#signal = signal;
  }

  wake(): void {
    this.#again = true;
    this.running ??= this.#runAll();
  }

  async #runAll(): Promise<void> {
    // A moment later: `running` is set by then.
    await undefined;
    while (this.#again && !this.#signal.aborted) {
      this.#again = false;
      try {
        await this.job.run(this.#runtime, this.#signal);
      } catch (error) {
        this.#runtime.log.error('a job of money failed', { job: this.job.name, error });
      }
    }
    this.running = undefined;
  }
}
