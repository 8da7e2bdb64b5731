import type { AccountContext } from '../../core/trpc/context';
import { encodeCursor, invalidCursor } from '../../core/trpc/cursor';
import { describeOwnJob } from './describe-own-job';
import { requireJobs } from './get-job';
import { countRunningJobs, type JobCursor, listAccountJobs, type OwnJobRow } from './own-store';
import type { OwnJobList, OwnJobsInput } from './schema';

const CURSOR = /^([re]):(job_[0-9a-z]{20,40})$/;

/**
 * Lists jobs of the account by page: running first, then ended, each newest first.
 * @throws GatewayError INVALID_INPUT for an invalid cursor; JOBS_DISABLED
 */
export async function listOwnJobs(
  context: Pick<AccountContext, 'runtime' | 'actor'>,
  { status, tool, key_id: keyId, limit, cursor }: OwnJobsInput,
): Promise<OwnJobList> {
  requireJobs(context);
  const { sql } = context.runtime;
  const { accountId } = context.actor;
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const [rows, running] = await Promise.all([
    listAccountJobs(sql, accountId, { status, tool, keyId, after, limit: limit + 1 }),
    countRunningJobs(sql, accountId),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    jobs: page.map(describeOwnJob),
    running,
    next_cursor: rows.length > limit && last ? writeCursor(last) : null,
  };
}

function writeCursor({ id, finished_at }: OwnJobRow): string {
  return encodeCursor(`${finished_at ? 'e' : 'r'}:${id}`);
}

function readCursor(cursor: string): JobCursor {
  const [, part, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (id) return { ended: part === 'e', id };
  throw invalidCursor();
}
