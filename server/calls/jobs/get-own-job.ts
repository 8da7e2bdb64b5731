import type { AccountContext } from '../../core/trpc/context';
import { describeSummary } from './describe-summary';
import { requireJobs } from './get-job';
import { jobNotFound } from './job-not-found';
import type { OwnJobDetail } from './schema';
import { findJobLog } from './store';
import { findJobSummary } from './summary-store';

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
  const row = await findJobSummary(runtime.sql, actor.accountId, jobId);
  if (!row) throw jobNotFound();
  // Read after the job: if it had ended, the log is complete. The log of a running job is streamed.
  const { lines } = await findJobLog(runtime.sql, { accountId: actor.accountId }, jobId, 0);
  return { ...describeSummary(row, runtime.settings.baseUrl), log: lines, result: row.result };
}
