import { toGatewayError } from '../../core/errors/to-gateway-error';
import type { KeyContext } from '../../core/trpc/context';
import type { ResolvedKey } from '../../identity/keys/resolve-keys';
import type { AdmittedCall } from '../admission/admit-call';
import type { CallAttempt } from '../execution/call-attempt';
import { type CallOutcome, CallRun } from '../execution/call-run';
import { waitForQueuedCall } from '../execution/queued-call';
import { MAX_QUEUED_MS } from '../execution/start-call';
import { toJobId } from '../jobs/job-ids';
import type { StoredLine } from '../jobs/job-log-store';
import { findJobLog } from '../jobs/store';
import type { CallResult } from '../result/schema';

/** The identity of a call in its events. */
export interface StreamedCall {
  id: string;
  tool: string;
  skill: string;
}

/** Log lines after a position, and the progress; null if they could not be read. */
type LogPart = { lines: readonly StoredLine[]; progress: number | null } | null;

/** The call that a stream follows: a run in this process, or a job in any process. */
export interface Source {
  call: StreamedCall;
  /** Whether the call is a job, so that its stream can be resumed. Never rejects. */
  job: Promise<boolean>;
  /** Null if the end is not known here: then the stream breaks off. Never rejects. */
  ended: Promise<CallOutcome | null>;
  since(seq: number): Promise<LogPart>;
  /** Resolves when there may be new lines, or the call has ended. */
  more(): Promise<void>;
  /** The rate windows of its key after it, and the key's rules, if they are known. */
  limits?: Pick<ResolvedKey, 'windows' | 'rules'> | undefined;
}

const NO_LOG = { lines: [], progress: null };

/**
 * A call that has ended.
 * @param log where it has one
 */
export function createEndedSource(
  call: StreamedCall,
  outcome: CallOutcome,
  {
    isJob,
    log = async () => NO_LOG,
    limits,
  }: Pick<Source, 'limits'> & { isJob: boolean; log?: Source['since'] },
): Source {
  const ended = Promise.resolve(outcome);
  const more = () => ended.then(() => undefined);
  return { call, job: Promise.resolve(isJob), ended, since: log, more, limits };
}

/**
 * Runs the call in this process. It is a job before its first event is sent, so that the address in
 * `started` works also if this process dies.
 * @param started.pending the response for a client that does not read events
 * @param started.attempt if it was started before the call was admitted
 */
export function createRunSource(
  context: KeyContext,
  admitted: AdmittedCall,
  { call, pending, attempt }: { call: StreamedCall; pending: CallResult; attempt: CallAttempt | undefined },
): Source {
  const { runtime, requestId } = context;
  const hasJobs = runtime.settings.jobs !== 'off';
  const run = new CallRun(runtime, admitted, { requestId, streamed: true, attempt });
  runtime.running.cancelWithRequest(context, admitted, run);
  if (hasJobs) context.reply.becomeJob = () => run.promote(pending);
  const job = hasJobs ? run.promote(null).catch(() => false) : Promise.resolve(false);
  const ended = run.ended.then(
    async (end) => (!end.ok && end.elsewhere && (await job) ? await readEnd(context, call) : end),
    async (error): Promise<CallOutcome | null> =>
      (await job) ? null : { ok: false, error: toGatewayError(error) },
  );
  return {
    call,
    job,
    ended,
    async since(seq) {
      const { lines, progress } = run.visibleLog;
      const added = lines.filter((line) => line.seq > seq);
      return { lines: added.map((line) => ({ progress, ...line })), progress };
    },
    more: () => waitForFirst((notify) => run.visibleLog.on(notify), ended),
  };
}

/** The outcome that is stored with the job, if another process ended the call. */
async function readEnd(context: KeyContext, call: StreamedCall): Promise<CallOutcome | null> {
  return await waitForQueuedCall(context, call, 0).catch(() => null);
}

/** Follows the job of a call, in whichever process it runs. */
export function createJobSource(context: KeyContext, call: StreamedCall): Source {
  const ended = waitForQueuedCall(context, call, MAX_QUEUED_MS, context.signal()).catch(() => null);
  return {
    call,
    job: Promise.resolve(true),
    ended,
    since: (seq) => readStoredLog(context, call, seq),
    more: () => waitForFirst((notify) => context.runtime.notices.on(`log:${call.id}`, notify), ended),
  };
}

/**
 * The stored lines of a job. The progress of an ended job is left out: its end says more.
 * @returns null if they cannot be read; the next notice triggers another read
 */
export async function readStoredLog(
  { runtime, actor }: KeyContext,
  call: StreamedCall,
  afterSeq: number,
): Promise<LogPart> {
  try {
    const log = await findJobLog(runtime.sql, { keyId: actor.keyId }, toJobId(call.id), afterSeq);
    const isRunning = log.status === 'pending' || log.status === 'running';
    return { lines: log.lines, progress: isRunning ? log.progress : null };
  } catch {
    return null;
  }
}

/** Resolves on the first notification or at the end. */
function waitForFirst(on: (notify: () => void) => () => void, ended: Promise<unknown>): Promise<void> {
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
