import { GatewayError } from '../../core/errors/gateway-error';
import type { AccountContext } from '../../core/trpc/context';
import { describeOwnJob } from './describe-own-job';
import { refuseWithoutJobs } from './get-job';
import { findJobOf } from './own-store';
import type { OwnJobDetail } from './schema';
import { findJobLog } from './store';

/**
 * A job of the asker's account as it is now, with all it has said.
 * @throws GatewayError NOT_FOUND, also for another account's; JOBS_DISABLED
 */
export async function getOwnJob(
  context: Pick<AccountContext, 'runtime' | 'actor'>,
  jobId: string,
): Promise<OwnJobDetail> {
  refuseWithoutJobs(context);
  const { runtime, actor } = context;
  const row = await findJobOf(runtime.sql, actor.accountId, jobId);
  if (!row) throw new GatewayError('NOT_FOUND', { message: 'No job of yours has this id.' });
  // After the job: of one that had ended, all lines are there. Of one that runs, the rest is followed.
  const { lines } = await findJobLog(runtime.sql, { accountId: actor.accountId }, jobId, 0);
  return { ...describeOwnJob(row), log: lines, error: row.error, result: row.result };
}
