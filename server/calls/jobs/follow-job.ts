import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../../core/runtime';
import { toCallId } from './job-ids';
import type { JobEvents } from './schema';
import { findJobLog, type JobStatus } from './store';

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
  const callId = toCallId(jobId);
  let seq = after;
  let lastState = '';
  const readNews = async () => {
    const log = await findJobLog(runtime.sql, { accountId }, jobId, seq);
    const isNew = log.lines.length > 0 || describeState(log) !== lastState;
    return isNew || isOver(log.status) ? log : null;
  };
  const waiting = { timeoutMs: Number.POSITIVE_INFINITY, signal };
  while (!signal.aborted) {
    const news = await runtime.notices.untilFound([`log:${callId}`, `call:${callId}`], readNews, waiting);
    if (!news) return;
    const { lines, status, progress } = news;
    if (lines.length > 0) {
      seq = lines.at(-1)?.seq ?? seq;
      yield { event: 'lines', id: seq, data: { lines } };
    }
    const state = describeState(news);
    if (status !== null && state !== lastState) yield { event: 'state', data: { status, progress } };
    lastState = state;
    if (isOver(status)) {
      yield { event: 'end', data: { status } };
      return;
    }
    await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

function describeState({ status, progress }: { status: JobStatus | null; progress: number | null }): string {
  return `${status} ${progress}`;
}

/** True if the job has ended or does not exist. */
function isOver(status: JobStatus | null): boolean {
  return status !== 'pending' && status !== 'running';
}
