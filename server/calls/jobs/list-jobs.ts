import type { AccountContext } from '../../core/trpc/context';
import { decodeCursor, toPage } from '../../core/trpc/cursor';
import { chooseVisibleKey } from '../../identity/keys/choose-visible-key';
import { describeSummary } from './describe-summary';
import { requireJobs } from './get-job';
import type { JobList, JobsInput, OwnJobList, OwnJobsInput } from './schema';
import { countRunningJobs, type JobsQuery, listJobSummaries } from './summary-store';

type Context = Pick<AccountContext, 'runtime' | 'actor'>;

/**
 * Lists the jobs that the actor may see by page, newest first. Jobs that start or end between two
 * pages neither repeat nor hide others.
 * @throws GatewayError INVALID_INPUT for an invalid cursor, NOT_FOUND for a key the actor may not
 *   read; JOBS_DISABLED
 */
export async function listJobs(context: Context, { key_id, ...input }: JobsInput): Promise<JobList> {
  requireJobs(context);
  const keyId = await chooseVisibleKey(context.runtime, context.actor, key_id);
  return await readPage(context, { ...input, keyId });
}

/**
 * Lists jobs of the account by page for the dashboard, whose filter also names deleted keys.
 * @throws GatewayError INVALID_INPUT for an invalid cursor; JOBS_DISABLED
 */
export async function listOwnJobs(
  context: Context,
  { status, key_id: keyId, ...input }: OwnJobsInput,
): Promise<OwnJobList> {
  requireJobs(context);
  const [list, running] = await Promise.all([
    readPage(context, { ...input, keyId, status: status === 'running' ? 'unfinished' : status }),
    countRunningJobs(context.runtime.sql, context.actor.accountId),
  ]);
  return { ...list, running };
}

async function readPage(
  { runtime, actor }: Context,
  { limit, cursor, ...query }: JobsQuery & { cursor?: string | undefined },
): Promise<JobList> {
  const after = decodeCursor(cursor, 'job');
  const rows = await listJobSummaries(runtime.sql, {
    ...query,
    accountId: actor.accountId,
    after,
    limit: limit + 1,
  });
  const { page, next_cursor } = toPage(rows, limit);
  return { jobs: page.map((row) => describeSummary(row, runtime.settings.baseUrl)), next_cursor };
}
