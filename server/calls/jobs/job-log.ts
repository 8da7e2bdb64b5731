import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../../core/runtime';
import { guarded } from '../../kit/guarded';
import type { RunLog } from '../execution/run-log';
import { toJobId } from './job-ids';

/**
 * All jobs of the process flush on the same ticks, so that one group commit carries their lines.
 */
const FLUSH_MS = 200;
/** Retry interval for a locked job; in total as long as a statement would have waited. */
const BUSY_MS = 100;
const BUSY_ATTEMPTS = 100;

/** Writes the log of a job that runs in this process. */
export class JobLog {
  readonly #runtime: Pick<Runtime, 'flush' | 'log'>;
  readonly #callId: string;
  readonly #log: RunLog;
  #lines = 0;
  #progress: number | null = null;
  #flushing: Promise<void> | undefined;

  constructor(runtime: Pick<Runtime, 'flush' | 'log'>, callId: string, log: RunLog) {
    this.#runtime = runtime;
    this.#callId = callId;
    this.#log = log;
  }

  /** Writes the lines so far, then each new line within one flush interval. */
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

  /** Writes all pending lines. Writes are serialized, so lines keep their order. */
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
          jobId: toJobId(callId),
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
      this.#runtime.log.warn('job.log_write_failed', { callId, error });
    }
  }
}
