import type { AccountContext } from '../../core/trpc/context';
import { decodeCursor, encodeCursor } from '../../core/trpc/cursor';
import { chooseVisibleKey } from '../../identity/keys/choose-visible-key';
import { describeOwnJob } from './describe-own-job';
import { requireJobs } from './get-job';
import { buildPollUrl } from './job-ids';
import { listJobsByAge, type OwnJobRow } from './own-store';
import type { JobList, JobSummary, JobsInput } from './schema';

/**
 * Lists the jobs that the actor may see by page, newest first. Jobs that start or end between two
 * pages neither repeat nor hide others.
 * @throws GatewayError INVALID_INPUT for an invalid cursor, NOT_FOUND for a key the actor may not
 *   read; JOBS_DISABLED
 */
export async function listJobs(
  context: Pick<AccountContext, 'runtime' | 'actor'>,
  { status, tool, key_id, limit, cursor }: JobsInput,
): Promise<JobList> {
  requireJobs(context);
  const { runtime, actor } = context;
  const before = cursor === undefined ? undefined : decodeCursor(cursor, 'job');
  const keyId = await chooseVisibleKey(runtime, actor, key_id);
  const query = { status, tool, keyId, before, limit: limit + 1 };
  const rows = await listJobsByAge(runtime.sql, actor.accountId, query);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    jobs: page.map((row) => summarizeJob(row, runtime.settings.baseUrl)),
    next_cursor: rows.length > limit && last ? encodeCursor(last.id) : null,
  };
}

function summarizeJob(row: OwnJobRow, baseUrl: string): JobSummary {
  const { elapsed_ms, ...job } = describeOwnJob(row);
  return {
    ...job,
    elapsed_seconds: elapsed_ms / 1000,
    error: row.error,
    poll_url: buildPollUrl(baseUrl, row.id),
  };
}
