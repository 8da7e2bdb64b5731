import type { AccountContext } from '../../core/trpc/context';
import { describeOwnJob } from './describe-own-job';
import { requireJobs } from './get-job';
import { jobNotFound } from './job-not-found';
import { findAccountJob } from './own-store';
import type { OwnJobDetail } from './schema';
import { findJobLog } from './store';

/**
 * Returns a job of the account with its full log.
 * @throws GatewayError NOT_FOUND, also for a job of another account; JOBS_DISABLED
 */
export async function getOwnJob(
  context: Pick<AccountContext, 'runtime' | 'actor'>,
  jobId: string,
): Promise<OwnJobDetail> {
  requireJobs(context);
  const { runtime, actor } = context;
  const row = await findAccountJob(runtime.sql, actor.accountId, jobId);
  if (!row) throw jobNotFound();
  // Read after the job: if it had ended, the log is complete. The log of a running job is streamed.
  const { lines } = await findJobLog(runtime.sql, { accountId: actor.accountId }, jobId, 0);
  return { ...describeOwnJob(row), log: lines, error: row.error, result: row.result };
}
