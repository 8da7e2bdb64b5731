import type { Sql } from '@/db/client';
import { newId } from '@/server/kit/ids';

interface JobRow {
  accountId?: string;
  /** How long ago it finished, as a PostgreSQL interval; omitted for a pending job. */
  finished?: string;
}

/**
 * Inserts an aged job with a log line directly into the database, so that tests need not wait. It
 * has no call: it waits for a concurrency slot, or failed without one, so reconciliation passes.
 */
export async function addJob(sql: Sql, { accountId = 'acct_x', finished }: JobRow = {}): Promise<string> {
  const id = newId('job');
  const [status, ended, error, fence, lease] = finished
    ? ['failed', finished, 'secret', null, null]
    : ['pending', null, null, 'f', '1 hour'];
  await sql`
    insert into jobs (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, input, error,
      fence, lease_expires_at, created_at, finished_at)
    values (${id}, ${newId('call')}, ${accountId}, 'key_x', 'personal', 'math', 'evaluate', ${status}, false, false,
      '{"secret":1}', ${error}, ${fence}, now() + ${lease}::interval, now() - interval '90 days',
      now() - ${ended}::interval)`;
  await sql`insert into job_logs values (${id}, 1, 'working', now())`;
  return id;
}

interface IdempotencyRow {
  accountId?: string;
  key?: string;
  part?: number;
  created: string;
  /** How long ago the response was stored; omitted if there is none yet. */
  finished?: string;
  /** How long ago the lease expired; negative if it is still valid. */
  lease?: string;
  callId?: string;
}

/** Inserts an aged idempotency record directly into the database. */
export async function addIdempotencyRecord(sql: Sql, row: IdempotencyRow): Promise<string> {
  const { accountId = 'acct_x', key = newId('request'), part = 0, created, finished, lease = created } = row;
  const [status, reply, ended] = finished ? [200, '{"secret":1}', finished] : [null, null, null];
  await sql`
    insert into idempotency_keys (account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_expires_at,
      status, reply, created_at, finished_at)
    values (${accountId}, ${key}, ${part}, '\\x00', ${row.callId ?? null}, false, 'f', now() - ${lease}::interval,
      ${status}, ${reply}, now() - ${created}::interval, now() - ${ended}::interval)`;
  return key;
}
