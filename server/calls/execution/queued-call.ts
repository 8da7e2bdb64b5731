import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { toJobId } from '../jobs/job-ids';
import type { JobRecord } from '../jobs/store';
import { callFailure } from '../settlement/call-failure';
import type { CallOutcome } from './call-run';

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
      const job = { jobId: toJobId(call.id), keyId: actor.keyId, omitRunningLog: true };
      const found = await runtime.readJob(job);
      return found && !found.finishedAt ? null : { job: found };
    },
    { timeoutMs: waitMs, signal },
  );
  return outcome && toOutcome(runtime, call.id, outcome.job);
}

function toOutcome({ tools }: Pick<Runtime, 'tools'>, callId: string, job: JobRecord | null): CallOutcome {
  // The job has expired, or an account claim moved it away from this key.
  if (!job) {
    const gone = { message: 'The job no longer exists.', details: { call_id: callId } };
    return { ok: false, error: new GatewayError('NOT_FOUND', gone) };
  }
  if (job.result) return { ok: true, result: job.result };
  const failure = { code: job.errorCode, message: job.error ?? 'The tool failed.' };
  const tool = tools.findTool(job.tool);
  return { ok: false, error: callFailure(callId, failure, tool && tools.findSkill(tool, job.skill)) };
}
