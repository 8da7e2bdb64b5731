import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { findJob, type JobDbRow, listJobTools, listLog, listJobs as listRows } from './jobs-store';
import { type OperatorAuditActor, parseCursor, toIso, toIsoOrNull, toPage } from './operator';
import { readQueueDepth } from './overview-store';
import type { OperatorJob, OperatorJobDetail, OperatorJobs, OperatorJobsInput } from './schema';

const PAGE = 30;
const MAX_LINES = 500;

/**
 * Lists jobs of all accounts in pages, newest first, with the depth of the queue.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function listJobs(
  runtime: Pick<Runtime, 'db'>,
  input: OperatorJobsInput,
): Promise<OperatorJobs> {
  const { db } = runtime;
  const [rows, depth, tools] = await Promise.all([
    listRows(db, input, parseCursor(input.cursor), PAGE + 1),
    readQueueDepth(db),
    listJobTools(db),
  ]);
  const { shown, next } = toPage(rows, PAGE, ({ id }) => id);
  const { oldest, ...counts } = depth;
  return {
    jobs: shown.map(describe),
    next_cursor: next,
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
  { db }: Pick<Runtime, 'db'>,
  by: OperatorAuditActor,
  { jobId, withLog }: { jobId: string; withLog: boolean },
): Promise<OperatorJobDetail> {
  const row = await findJob(db, jobId);
  if (!row) throw new GatewayError('NOT_FOUND', { message: `There is no job ${jobId}.` });
  await writeAudit(db, {
    actor: by,
    action: 'account.view',
    accountId: row.account_id,
    target: jobId,
    details: { part: 'job' },
  });
  return { ...describe(row), log: withLog ? await listLog(db, jobId, MAX_LINES) : [] };
}

function describe({ id, created_at, started_at, finished_at, ...job }: JobDbRow): OperatorJob {
  return {
    job_id: id,
    ...job,
    created_at: toIso(created_at),
    started_at: toIsoOrNull(started_at),
    finished_at: toIsoOrNull(finished_at),
  };
}
