import { hideOutputs } from '../../assets/hide-outputs';
import { errorBody } from '../../core/errors/error-body';
import { GatewayError } from '../../core/errors/gateway-error';
import { getVisibleKeyId } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { requireJobs } from './get-job';
import { toCallId } from './job-ids';
import type { Cancelled } from './schema';
import { cancelAccountJob } from './store';

const CANCELLED = 'The call was cancelled.';

/**
 * Cancels a running job: aborts its handler, charges nothing. If the call ends at the same time,
 * exactly one of the two wins.
 * @throws GatewayError JOB_NOT_RUNNING if the job is not running, unknown or of another account, or
 *   for a restricted key of another key; JOBS_DISABLED
 */
export async function cancelJob(
  context: Pick<AccountContext, 'runtime' | 'actor' | 'requestId'>,
  jobId: string,
): Promise<Cancelled> {
  requireJobs(context);
  const { runtime, actor, requestId } = context;
  const details = { billed: false, call_id: toCallId(jobId) };
  const error = new GatewayError('HANDLER_ERROR', { message: CANCELLED, details });
  const notice = { line: CANCELLED, reply: errorBody(error, requestId, runtime.settings.baseUrl) };
  const owner = { accountId: actor.accountId, onlyOfKey: getVisibleKeyId(actor) };
  if (!(await cancelAccountJob(runtime.sql, owner, jobId, notice))) throw new GatewayError('JOB_NOT_RUNNING');
  // The run removes its files when it sees the cancel. Its process may be dead, so hide them here
  // too.
  await hideOutputs(runtime.sql, [toCallId(jobId)]).catch((failure) =>
    runtime.log.warn('job.cancel_cleanup_failed', { jobId, error: failure }),
  );
  return { cancelled: true, job_id: jobId };
}
