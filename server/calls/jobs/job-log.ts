import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../../core/runtime';
import { guarded } from '../../kit/guarded';
import type { RunLog } from '../execution/run-log';
import { toJobId } from './job-ids';
import type { StoredLine } from './job-log-store';

/**
 * All jobs of the process flush on the same ticks, so that one group commit carries their lines.
 */
const FLUSH_MS = 200;
/** For a call with a stream, which sends only what is stored. */
const STREAMED_FLUSH_MS = 50;
/** Retry interval for a locked job; in total as long as a statement would have waited. */
const BUSY_MS = 100;
const BUSY_ATTEMPTS = 100;

/**
 * Writes the log of a job that runs in this process. Its lines and progress are those that are
 * stored, so every process can read them.
 */
export class JobLog {
  readonly lines: StoredLine[] = [];
  progress: number | null = null;
  readonly #runtime: Pick<Runtime, 'flush' | 'log'>;
  readonly #callId: string;
  readonly #log: RunLog;
  readonly #flushMs: number;
  readonly #listeners = new Set<() => void>();
  #written = 0;
  #flushing: Promise<void> | undefined;

  constructor(
    runtime: Pick<Runtime, 'flush' | 'log'>,
    callId: string,
    log: RunLog,
    { streamed }: { streamed: boolean },
  ) {
    this.#runtime = runtime;
    this.#flushMs = streamed ? STREAMED_FLUSH_MS : FLUSH_MS;
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
      setTimeout(flush, this.#flushMs - (performance.now() % this.#flushMs));
    });
    void this.flush();
  }

  /** Calls the listener when more is stored; returns a function that removes it. */
  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes all pending lines. Writes are serialized, so lines keep their order. */
  flush(): Promise<void> {
    this.#flushing = (this.#flushing ?? Promise.resolve()).then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const lines = this.#log.lines.slice(this.#written);
    const { progress } = this.#log;
    if (lines.length === 0 && progress === this.progress) return;
    const callId = this.#callId;
    try {
      for (let attempt = 1; ; attempt++) {
        const state = await this.#runtime.flush.appendLog({
          jobId: toJobId(callId),
          callId,
          lines,
          progress,
        });
        if (state === 'over') return;
        if (state === 'written') break;
        if (attempt >= BUSY_ATTEMPTS) throw new Error('The job stayed locked');
        await wait(BUSY_MS);
      }
      this.#written += lines.length;
      this.progress = progress;
      this.lines.push(...lines.map((line) => ({ ...line, progress })));
      for (const notify of this.#listeners) notify();
    } catch (error) {
      this.#runtime.log.warn('job.log_write_failed', { callId, error });
    }
  }
}
