import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../../core/runtime';
import { toCallId } from './job-ids';
import type { JobEvents } from './schema';
import { findJobLog, type JobStatus } from './store';

/**
 * The job is re-read after this time even without a notice: notices can be lost with their
 * connection.
 */
const RECHECK_MS = 10_000;
/** Minimum time between reads of a job that logs continuously. */
const PAUSE_MS = 200;

type JobEvent = {
  [Name in keyof JobEvents]: { event: Name; id?: number; data: JobEvents[Name] };
}[keyof JobEvents];

/**
 * Follows a job of the account: yields its log lines from a position on, and its state, until it
 * has ended. It waits for notices of the process; every line is yielded once and in order.
 * @param after the last known line; 0 for all. Events with lines carry their last one as id
 * @param signal ends the stream
 */
export async function* followJob(
  runtime: Pick<Runtime, 'sql' | 'notices'>,
  { accountId }: { accountId: string },
  { jobId, after }: { jobId: string; after: number },
  signal: AbortSignal,
): AsyncGenerator<JobEvent> {
  const latch = new NoticeLatch(signal);
  const callId = toCallId(jobId);
  const offs = (['log', 'call'] as const).map((topic) =>
    runtime.notices.on(`${topic}:${callId}`, () => latch.notify()),
  );
  let seq = after;
  let lastState = '';
  try {
    while (!signal.aborted) {
      latch.clear();
      const { lines, status, progress } = await findJobLog(runtime.sql, { accountId }, jobId, seq);
      if (lines.length > 0) {
        seq = lines.at(-1)?.seq ?? seq;
        yield { event: 'lines', id: seq, data: { lines } };
      }
      const state = `${status} ${progress}`;
      if (status !== null && state !== lastState) yield { event: 'state', data: { status, progress } };
      lastState = state;
      if (isOver(status)) {
        yield { event: 'end', data: { status } };
        return;
      }
      await latch.wait(RECHECK_MS);
      await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    for (const off of offs) off();
  }
}

/** True if the job has ended or does not exist. */
function isOver(status: JobStatus | null): boolean {
  return status !== 'pending' && status !== 'running';
}

/** Remembers notices that arrive between two reads of the job. */
class NoticeLatch {
  readonly #signal: AbortSignal;
  #notified = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  notify(): void {
    this.#notified = true;
    this.#wake?.();
  }

  /** Call before each read, so that a notice during the read is not lost. */
  clear(): void {
    this.#notified = false;
  }

  /** Waits for a notice, the timeout or the abort signal. */
  async wait(ms: number): Promise<void> {
    if (this.#notified || this.#signal.aborted) return;
    await new Promise<void>((done) => {
      const end = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', end);
        this.#wake = undefined;
        done();
      };
      const timer = setTimeout(end, ms);
      this.#wake = end;
      this.#signal.addEventListener('abort', end, { once: true });
    });
  }
}
