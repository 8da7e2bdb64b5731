import { errorBody } from '../../core/errors/error-body';
import { GatewayError } from '../../core/errors/gateway-error';
import { callPolicies, findTightest } from '../../core/limits/rate-headers';
import type { CallEvent, KeyContext } from '../../core/trpc/context';
import { toGatewayError } from '../../core/trpc/format-error';
import { guarded, logUncaught } from '../../kit/guarded';
import type { AdmittedCall } from '../admission/admit-call';
import { type CallOutcome, CallRun } from '../execution/call-run';
import { cancelWithRequest } from '../execution/cancel-with-request';
import { waitForQueuedCall } from '../execution/queued-call';
import { MAX_QUEUED_MS } from '../execution/start-call';
import { buildPollUrl, toJobId } from '../jobs/job-ids';
import type { LogLine } from '../jobs/job-log-store';
import { listJobLog } from '../jobs/read-job';
import type { CallResult } from '../result/schema';
import { toPendingResult } from '../settlement/price-attempt';

/** Minimum interval between progress events without a log line. */
const PROGRESS_MS = 250;

/** The identity of a call in its events. */
export interface StreamedCall {
  id: string;
  tool: string;
  skill: string;
}

/** The call that a stream follows: a run in this process, or a job in any process. */
export interface Source {
  call: StreamedCall;
  /** Never rejects. */
  ended: Promise<CallOutcome>;
  /** Log lines after a position, and the progress. */
  since(seq: number): Promise<{ lines: readonly LogLine[]; progress: number | null }>;
  /** Resolves when there may be new lines, or the call has ended. */
  more(): Promise<void>;
  isJob(): boolean;
}

/**
 * Streams the events of an opened call (contract section 6). If the client disconnects, the call
 * continues as a job, as it does when it runs longer than a request would wait.
 * @returns the response for a client that does not read events; the events are in
 *   `context.reply.events`
 */
export function streamCall(context: KeyContext, opened: AdmittedCall): CallResult {
  const call = { id: opened.id, tool: opened.tool.name, skill: opened.skill.name };
  // The same object for clients without events and for the stored response.
  const pending = toPendingResult(context.runtime, opened, 0);
  const source = opened.queued
    ? createQueuedSource(context, opened, call)
    : createRunSource(context, opened, call, pending);
  context.reply.events = streamEvents(context, source);
  return pending;
}

function createQueuedSource(context: KeyContext, opened: AdmittedCall, call: StreamedCall): Source {
  cancelWithRequest(context, opened, null);
  context.reply.becomeJob = async () => true;
  return createJobSource(context, call);
}

function createRunSource(
  context: KeyContext,
  opened: AdmittedCall,
  call: StreamedCall,
  pending: CallResult,
): Source {
  const { runtime, requestId } = context;
  const run = new CallRun(runtime, opened, { requestId });
  cancelWithRequest(context, opened, run);
  const ended = run.ended.catch((error): CallOutcome => ({ ok: false, error: toGatewayError(error) }));
  let job = false;
  if (runtime.settings.jobs !== 'off') {
    context.reply.becomeJob = () => run.promote(pending);
    const promoteToJob = guarded(() => {
      const promotion = run.promote(null).then((promoted) => {
        job = promoted;
      });
      promotion.catch(logUncaught);
    });
    const timer = setTimeout(promoteToJob, runtime.settings.waitSeconds * 1000);
    const signal = context.signal();
    if (signal.aborted) promoteToJob();
    else signal.addEventListener('abort', promoteToJob, { once: true });
    void ended.then(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', promoteToJob);
    });
  }
  return {
    call,
    ended,
    since: async (seq) => ({ lines: run.log.lines.slice(seq), progress: run.log.progress }),
    more: () => waitForFirst((tell) => run.log.on(tell), ended),
    isJob: () => job,
  };
}

/** Follows the job of a call, in whichever process it runs. */
export function createJobSource(context: KeyContext, call: StreamedCall): Source {
  const { runtime, actor } = context;
  const jobId = toJobId(call.id);
  const stopped: CallOutcome = {
    ok: false,
    error: new GatewayError('UNAVAILABLE', { details: { retry_after: 1 } }),
  };
  const ended = waitForQueuedCall(context, call, MAX_QUEUED_MS, context.signal())
    .then((end) => end ?? stopped)
    .catch((error): CallOutcome => ({ ok: false, error: toGatewayError(error) }));
  return {
    call,
    ended,
    // After a failed read, the next notice triggers another.
    since: (seq) => listJobLog(runtime, actor.keyId, jobId, seq).catch(() => ({ lines: [], progress: null })),
    more: () => waitForFirst((tell) => runtime.notices.on(`log:${call.id}`, tell), ended),
    isJob: () => true,
  };
}

/** Resolves on the first notification or at the end. */
function waitForFirst(on: (tell: () => void) => () => void, ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const off = on(() => {
      off();
      resolve();
    });
    void ended.then(() => {
      off();
      resolve();
    });
  });
}

/** Yields started, progress events, rate_limit, then result or error. */
export async function* streamEvents(context: KeyContext, source: Source): AsyncGenerator<CallEvent> {
  const { runtime, requestId } = context;
  const { call } = source;
  const jobId = toJobId(call.id);
  const poll =
    runtime.settings.jobs === 'off'
      ? {}
      : { job_id: jobId, poll_url: buildPollUrl(runtime.settings.baseUrl, jobId) };
  yield { event: 'started', data: { ...call, ...poll } };
  yield* streamProgress(source, jobId);
  const end = await source.ended;
  yield { event: 'rate_limit', data: await readRateLimit(context) };
  yield end.ok
    ? { event: 'result', data: end.result }
    : { event: 'error', data: errorBody(end.error, requestId, runtime.settings.baseUrl) };
}

/** Yields log lines and progress until the call has ended. */
async function* streamProgress(source: Source, jobId: string): AsyncGenerator<CallEvent> {
  let ended = false;
  void source.ended.then(() => {
    ended = true;
  });
  let seq = 0;
  let lastProgress: number | null = null;
  let lastProgressAt = 0;
  for (;;) {
    const more = source.more();
    const last = ended;
    const { lines, progress } = await source.since(seq);
    const job = source.isJob() ? { job_id: jobId } : {};
    for (const line of lines) {
      seq = line.seq;
      lastProgress = progress;
      lastProgressAt = performance.now();
      yield { event: 'progress', data: { ...line, ...(progress === null ? {} : { progress }), ...job } };
    }
    if (progress !== null && progress !== lastProgress && performance.now() - lastProgressAt >= PROGRESS_MS) {
      lastProgress = progress;
      lastProgressAt = performance.now();
      const message = `${Math.floor(progress * 100)} %`;
      yield { event: 'progress', data: { seq, at: new Date().toISOString(), message, progress, ...job } };
    }
    if (last) return;
    await more;
  }
}

/** The tightest rate window after the call. */
async function readRateLimit({ runtime, actor }: KeyContext): Promise<object> {
  const key = await runtime.flush.resolveKey(actor.keyHash).catch(() => null);
  const policies = callPolicies(key?.windows ?? actor.windows, runtime.quotas);
  const { name, quota, remaining, resetSeconds } = findTightest(policies);
  return { policy: name, limit: quota, remaining, reset: resetSeconds };
}
