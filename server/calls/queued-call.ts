import { sealForQueue } from '../catalog/credentials/queued-credential';
import { GatewayError } from '../core/errors/gateway-error';
import type { Runtime } from '../core/runtime';
import type { KeyContext } from '../core/trpc/context';
import type { PreparedCall } from './admit-call';
import { callFailure } from './call-failure';
import type { CallOutcome } from './call-run';
import { openQueuedCall } from './job-store';
import { toJobId } from './jobs/job-ids';
import { pollJob } from './jobs/read-job';
import type { JobRecord } from './jobs/store';
import type { OpenRequest, OpenResult } from './store';

/** Skills with at least this estimated duration are queued instead of run in this process. */
const QUEUED_FROM_SECONDS = 30;

/** Whether a worker runs the call. */
export function isQueued({ settings }: Runtime, { skill }: PreparedCall): boolean {
  return settings.jobs !== 'off' && skill.annotations.estimatedSeconds >= QUEUED_FROM_SECONDS;
}

/** Chooses the statement that opens the call: into the queue, or for a run in this process. */
export function chooseOpenStatement(
  runtime: Runtime,
  ready: PreparedCall,
): (request: OpenRequest) => Promise<OpenResult> {
  if (!isQueued(runtime, ready)) return runtime.flush.openCall;
  const { id, rawInput: input, skill } = ready;
  const credential = ready.credential && sealForQueue(runtime, id, ready.credential);
  // Before the insert: a worker of this process may lease the call before the database responds.
  runtime.observer.tracing?.queued(id);
  const queued = { jobId: toJobId(id), input, rerunnable: skill.annotations.idempotent, credential };
  return (request) => openQueuedCall(runtime.sql, { ...request, ...queued }, runtime.quotas);
}

/**
 * Waits for the end of a queued call; null if it does not end in time.
 * @param signal aborted when the result is no longer needed
 */
export async function waitForQueuedCall(
  context: KeyContext,
  call: { id: string },
  waitMs: number,
  signal?: AbortSignal,
): Promise<CallOutcome | null> {
  const { runtime, actor } = context;
  const outcome = await runtime.notices.untilFound(
    `call:${call.id}`,
    async () => {
      const found = await pollJob(runtime, actor.keyId, toJobId(call.id));
      return found && !found.finishedAt ? null : { job: found };
    },
    { timeoutMs: waitMs, signal },
  );
  return outcome && toOutcome(runtime, outcome.job);
}

function toOutcome({ tools }: Runtime, job: JobRecord | null): CallOutcome {
  // The job has expired, or an account claim moved it away from this key.
  if (!job)
    return { ok: false, error: new GatewayError('NOT_FOUND', { message: 'The job no longer exists.' }) };
  if (job.result) return { ok: true, result: job.result };
  const failure = { code: job.errorCode, message: job.error ?? 'The tool failed.' };
  const tool = tools.findTool(job.tool);
  return { ok: false, error: callFailure(failure, tool && tools.findSkill(tool, job.skill)) };
}
