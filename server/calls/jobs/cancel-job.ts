import { hideOutputs } from '../../assets/hide-outputs';
import { GatewayError } from '../../core/errors/gateway-error';
import { ownKeyOnly } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { errorBody } from '../../core/trpc/format-error';
import { refuseWithoutJobs } from './get-job';
import { callIdOf } from './job-ids';
import type { Cancelled } from './schema';
import { cancelJobOf } from './store';

const CANCELLED = 'The call was cancelled.';

/**
 * Stops a running job for good: its handler is aborted, nothing is charged. Against the end of the
 * call it wins or loses once.
 * @throws GatewayError JOB_NOT_RUNNING where it is not running, unknown, another account's, or for
 *   a restricted key another key's; JOBS_DISABLED
 */
export async function cancelJob(
  context: Pick<AccountContext, 'runtime' | 'actor' | 'requestId'>,
  jobId: string,
): Promise<Cancelled> {
  refuseWithoutJobs(context);
  const { runtime, actor, requestId } = context;
  const error = new GatewayError('HANDLER_ERROR', { message: CANCELLED, details: { billed: false } });
  const told = { line: CANCELLED, reply: errorBody(error, requestId, runtime.settings.baseUrl) };
  const owner = { accountId: actor.accountId, onlyOfKey: ownKeyOnly(actor) };
  if (!(await cancelJobOf(runtime.sql, owner, jobId, told))) throw new GatewayError('JOB_NOT_RUNNING');
  // Its run removes what it made as soon as it has heard of it; where that is dead or far away, it
  // is nobody's all the same.
  await hideOutputs(runtime.sql, [callIdOf(jobId)]).catch((failure) =>
    runtime.log.warn('the files of a cancelled call were left', { jobId, error: failure }),
  );
  return { cancelled: true, job_id: jobId };
}
