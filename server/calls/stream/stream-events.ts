import { errorBody } from '../../core/errors/error-body';
import { limitQuotas } from '../../core/limits/key-rules';
import { callPolicies, findTightest } from '../../core/limits/rate-headers';
import type { CallEvent, KeyContext } from '../../core/trpc/context';
import { buildEventsUrl, buildPollUrl, toJobId } from '../jobs/job-ids';
import { BEFORE, END_ID, formatProgressId, LIMITS_ID, type Position } from './event-id';
import type { Source } from './stream-source';

/** Minimum interval between progress events without a log line. */
const PROGRESS_MS = 250;

/**
 * Yields started, progress events, rate_limit, then result or error: those after a position. It
 * breaks off without an end if the end is not known here; another process may know it.
 */
export async function* streamEvents(
  context: KeyContext,
  source: Source,
  after: Position = BEFORE,
): AsyncGenerator<CallEvent> {
  const { runtime, requestId } = context;
  const { baseUrl } = runtime.settings;
  const jobId = (await source.job) ? toJobId(source.call.id) : null;
  if (after.stage === 'before') {
    const address = jobId && {
      job_id: jobId,
      poll_url: buildPollUrl(baseUrl, jobId),
      events_url: buildEventsUrl(baseUrl, jobId),
    };
    yield { id: formatProgressId(0, null), event: 'started', data: { ...source.call, ...address } };
  }
  if (after.stage === 'before' || after.stage === 'progress') {
    const from = after.stage === 'before' ? { seq: 0, progress: null } : after;
    if (!(yield* streamProgress(source, jobId, from))) return;
  }
  const end = await source.ended;
  if (end === null) return;
  if (after.stage !== 'limits')
    yield { id: LIMITS_ID, event: 'rate_limit', data: await readRateLimit(context, source) };
  yield end.ok
    ? { id: END_ID, event: 'result', data: end.result }
    : { id: END_ID, event: 'error', data: errorBody(end.error, requestId, baseUrl) };
}

/**
 * Yields log lines and progress until the call has ended.
 * @param from the lines and the progress that the client has
 * @returns false if lines may be missing because they could not be read
 */
async function* streamProgress(
  source: Source,
  jobId: string | null,
  from: { seq: number; progress: number | null },
): AsyncGenerator<CallEvent, boolean> {
  const job = jobId ? { job_id: jobId } : {};
  let ended = false;
  void source.ended.then(() => {
    ended = true;
  });
  let { seq, progress: sent } = from;
  let sentAt = 0;
  for (;;) {
    const more = source.more();
    const last = ended;
    const log = await source.since(seq);
    for (const { progress, ...line } of log?.lines ?? []) {
      seq = line.seq;
      sent = progress;
      sentAt = performance.now();
      const data = { ...line, ...(progress === null ? {} : { progress }), ...job };
      yield { id: formatProgressId(seq, progress), event: 'progress', data };
    }
    if (last) return log !== null;
    const progress = log?.progress ?? null;
    if (progress !== null && progress !== sent && performance.now() - sentAt >= PROGRESS_MS) {
      sent = progress;
      sentAt = performance.now();
      const message = `${Math.floor(progress * 100)}%`;
      const data = { seq, at: new Date().toISOString(), message, progress, ...job };
      yield { id: formatProgressId(seq, progress), event: 'progress', data };
    }
    await more;
  }
}

/** The tightest rate window after the call. */
async function readRateLimit({ runtime, actor }: KeyContext, source: Source): Promise<object> {
  const key = source.limits ?? (await runtime.flush.resolveKey(actor.keyHash).catch(() => null));
  const { windows, rules } = key ?? actor;
  const policies = callPolicies(windows, limitQuotas(runtime.quotas, rules));
  const { name, quota, remaining, resetSeconds } = findTightest(policies);
  return { policy: name, limit: quota, remaining, reset: resetSeconds };
}
