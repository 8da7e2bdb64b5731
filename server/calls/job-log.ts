import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../core/runtime';
import { guarded } from '../kit/guarded';
import { jobIdOf } from './jobs/job-ids';
import type { RunLog } from './run-log';

/**
 * Log lines are written this often, those of all jobs of the process in the same moment: one commit
 * carries them, where each job's own would keep the disk and the pool busy for everybody.
 */
const FLUSH_MS = 200;
/** A job that somebody has locked is tried again, for as long as a statement would have waited. */
const BUSY_MS = 100;
const BUSY_ATTEMPTS = 100;

/** Writes what a job says while it runs here. */
export class JobLog {
  readonly #runtime: Runtime;
  readonly #callId: string;
  readonly #log: RunLog;
  #lines = 0;
  #progress: number | null = null;
  #flushing: Promise<void> | undefined;

  constructor(runtime: Runtime, callId: string, log: RunLog) {
    this.#runtime = runtime;
    this.#callId = callId;
    this.#log = log;
  }

  /** From now on: what was said before, and each line soon after it is said. */
  start(): void {
    let due = false;
    this.#log.on(() => {
      if (due) return;
      due = true;
      const flush = guarded(() => {
        due = false;
        void this.flush();
      });
      setTimeout(flush, FLUSH_MS - (performance.now() % FLUSH_MS));
    });
    void this.flush();
  }

  /** Writes what has been said so far. One write at a time, so that lines keep their order. */
  flush(): Promise<void> {
    this.#flushing = (this.#flushing ?? Promise.resolve()).then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const lines = this.#log.lines.slice(this.#lines);
    const { progress } = this.#log;
    if (lines.length === 0 && progress === this.#progress) return;
    const callId = this.#callId;
    try {
      for (let attempt = 1; ; attempt++) {
        const state = await this.#runtime.flush.appendLog({
          jobId: jobIdOf(callId),
          callId,
          lines,
          progress,
        });
        if (state !== 'busy') break;
        if (attempt >= BUSY_ATTEMPTS) throw new Error('The job stayed locked');
        await wait(BUSY_MS);
      }
      this.#lines += lines.length;
      this.#progress = progress;
    } catch (error) {
      this.#runtime.log.warn('log lines of a job were not written yet', { callId, error });
    }
  }
}
