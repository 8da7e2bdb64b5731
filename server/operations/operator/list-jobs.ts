import { describeSummary } from '../../calls/jobs/describe-summary';
import { findJobSummary, type JobSummaryRow, listJobSummaries } from '../../calls/jobs/summary-store';
import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { decodeCursor, toPage } from '../../core/trpc/cursor';
import { findAccountIds, findAccountNames } from './account-names';
import { listJobTools, listLog } from './jobs-store';
import { type OperatorAuditActor, toIsoOrNull } from './operator';
import { readQueueDepth } from './overview-store';
import type { OperatorJob, OperatorJobDetail, OperatorJobs, OperatorJobsInput } from './schema';

const PAGE = 30;
const MAX_LINES = 500;

/**
 * Lists jobs of all accounts in pages, by default newest first, with the depth of the queue.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function listJobs(
  { db, sql, settings }: Pick<Runtime, 'db' | 'sql' | 'settings'>,
  { status, tool, account_id: account, older_minutes: olderMinutes, sort, cursor }: OperatorJobsInput,
): Promise<OperatorJobs> {
  const after = decodeCursor(cursor, 'job');
  const oldestFirst = sort === 'created.asc';
  const accountIds = account === undefined ? undefined : await findAccountIds(db, account);
  const wanted = status === 'queued' ? 'pending' : status;
  const [rows, depth, tools] = await Promise.all([
    listJobSummaries(sql, {
      status: wanted,
      tool,
      accountIds,
      olderMinutes,
      oldestFirst,
      after,
      limit: PAGE + 1,
    }),
    readQueueDepth(db),
    listJobTools(db),
  ]);
  const { page, next_cursor } = toPage(rows, PAGE);
  const names = await findAccountNames(
    db,
    page.map((row) => row.account_id),
  );
  const { oldest, ...counts } = depth;
  return {
    jobs: page.map((row) => describe(row, names, settings.baseUrl)),
    next_cursor,
    depth: { ...counts, oldest_at: toIsoOrNull(oldest) },
    tools,
  };
}

/**
 * Reads one job with its log, and records the access. Input and result stay private to the account.
 * @param options.withLog false for support: a tool's log may quote its input
 * @throws GatewayError NOT_FOUND
 */
export async function getJob(
  { db, sql, settings }: Pick<Runtime, 'db' | 'sql' | 'settings'>,
  by: OperatorAuditActor,
  { jobId, withLog }: { jobId: string; withLog: boolean },
): Promise<OperatorJobDetail> {
  const row = await findJobSummary(sql, null, jobId);
  if (!row) throw new GatewayError('NOT_FOUND', { message: `There is no job ${jobId}.` });
  await writeAudit(db, {
    actor: by,
    action: 'account.view',
    accountId: row.account_id,
    target: jobId,
    details: { part: 'job' },
  });
  const names = await findAccountNames(db, [row.account_id]);
  return {
    ...describe(row, names, settings.baseUrl),
    log: withLog ? await listLog(db, jobId, MAX_LINES) : [],
  };
}

function describe(row: JobSummaryRow, names: Map<string, string>, baseUrl: string): OperatorJob {
  const { account_id, queued, stuck, attempts } = row;
  const account_name = names.get(account_id) ?? account_id;
  return { ...describeSummary(row, baseUrl), account_id, account_name, queued, stuck, attempts };
}
