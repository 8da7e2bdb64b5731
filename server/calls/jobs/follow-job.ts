import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../../core/runtime';
import { callIdOf } from './job-ids';
import type { JobEvents } from './schema';
import { findJobLog, type JobStatus } from './store';

/** Told or not, it is looked again after this long: a notice may be lost with its connection. */
const RECHECK_MS = 10_000;
/** A job that talks without pause is read this often. */
const PAUSE_MS = 200;

type JobEvent = {
  [Name in keyof JobEvents]: { event: Name; id?: number; data: JobEvents[Name] };
}[keyof JobEvents];

/**
 * What a job of the account says from a line on, and how it stands, until it has ended. It waits on the notices of the
 * process, and every line comes once and in order, whatever was missed before.
 * @param after the last line that is known; 0 for all. Events with lines carry their last one as id
 * @param signal ends it
 */
export async function* followJob(
  runtime: Pick<Runtime, 'sql' | 'notices'>,
  { accountId }: { accountId: string },
  { jobId, after }: { jobId: string; after: number },
  signal: AbortSignal,
): AsyncGenerator<JobEvent> {
  const news = new News(signal);
  const callId = callIdOf(jobId);
  const offs = (['log', 'call'] as const).map((topic) =>
    runtime.notices.on(`${topic}:${callId}`, () => news.tell()),
  );
  let seq = after;
  let told = '';
  try {
    while (!signal.aborted) {
      news.clear();
      const { lines, status, progress } = await findJobLog(runtime.sql, { accountId }, jobId, seq);
      if (lines.length > 0) {
        seq = lines.at(-1)?.seq ?? seq;
        yield { event: 'lines', id: seq, data: { lines } };
      }
      const state = `${status} ${progress}`;
      if (status !== null && state !== told) yield { event: 'state', data: { status, progress } };
      told = state;
      if (isOver(status)) {
        yield { event: 'end', data: { status } };
        return;
      }
      await news.wait(RECHECK_MS);
      await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    for (const off of offs) off();
  }
}

/** Ended, or not there. */
function isOver(status: JobStatus | null): boolean {
  return status !== 'pending' && status !== 'running';
}

/** That something was told since the last look. */
class News {
  readonly #signal: AbortSignal;
  #told = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  tell(): void {
    this.#told = true;
    this.#wake?.();
  }

  /** Before each look: what is told during it counts. */
  clear(): void {
    this.#told = false;
  }

  /** Until something is told, the time is over or nobody wants it any more. */
  async wait(ms: number): Promise<void> {
    if (this.#told || this.#signal.aborted) return;
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
