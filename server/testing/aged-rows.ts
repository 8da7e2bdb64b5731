import type { Sql } from '@/db/client';
import { newId } from '../kit/ids';

interface JobRow {
  accountId?: string;
  /** How long ago it ended, as Postgres says it; without, it waits. */
  finished?: string;
}

/**
 * Puts a job with a log line straight into the database: tests move instants instead of waiting. It never had a call: it
 * waits for a slot, or has failed for want of one, so that the books agree with it.
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

interface AnswerRow {
  accountId?: string;
  key?: string;
  part?: number;
  created: string;
  /** Without it, there is no answer yet. */
  finished?: string;
  /** How long ago the lease ended; negative: it lasts. */
  lease?: string;
  callId?: string;
}

/** Puts a request with an Idempotency-Key straight into the database, made, answered and leased that long ago. */
export async function addAnswer(sql: Sql, row: AnswerRow): Promise<string> {
  const { accountId = 'acct_x', key = newId('request'), part = 0, created, finished, lease = created } = row;
  const [status, reply, ended] = finished ? [200, '{"secret":1}', finished] : [null, null, null];
  await sql`
    insert into idempotency_keys (account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_expires_at,
      status, reply, created_at, finished_at)
    values (${accountId}, ${key}, ${part}, '\\x00', ${row.callId ?? null}, false, 'f', now() - ${lease}::interval,
      ${status}, ${reply}, now() - ${created}::interval, now() - ${ended}::interval)`;
  return key;
}
