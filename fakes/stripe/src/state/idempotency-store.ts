import type { Executor, Sql } from '../types';

export interface IdempotencyRecord {
  fingerprint: string;
  /** Null until the first request completes. */
  status: number | null;
  body: string | null;
}

/** Another request can acquire the key after this time if the first has not completed. */
const LEASE = '10 seconds';
const RETENTION = '24 hours';

/** Acquires a key for a request; false if another request has it. */
export async function acquireRecord(
  sql: Sql,
  key: string,
  fingerprint: string,
  requestId: string,
): Promise<boolean> {
  const rows = await sql`
    insert into fake_stripe.requests as known (key, fingerprint, claim, started_at)
    values (${key}, ${fingerprint}, ${requestId}, clock_timestamp())
    on conflict (key) do update
    set fingerprint = excluded.fingerprint, claim = excluded.claim, status = null, body = null,
      started_at = excluded.started_at
    where known.started_at < clock_timestamp() - ${RETENTION}::interval
      or (known.status is null and known.started_at < clock_timestamp() - ${LEASE}::interval)
    returning key`;
  return rows.length > 0;
}

export async function findRecord(sql: Sql, key: string): Promise<IdempotencyRecord | null> {
  const [row] = await sql<IdempotencyRecord[]>`
    select fingerprint, status, body from fake_stripe.requests where key = ${key}`;
  return row ?? null;
}

/**
 * Stores the response in the transaction of the change; false if another request has acquired the
 * key since.
 */
export async function saveResponse(
  sql: Executor,
  requestId: string,
  status: number,
  body: string,
): Promise<boolean> {
  const rows = await sql`
    update fake_stripe.requests set status = ${status}, body = ${body} where claim = ${requestId} returning key`;
  return rows.length > 0;
}

/** Releases the key of a request that changed nothing. */
export async function releaseRecord(sql: Sql, requestId: string): Promise<void> {
  await sql`delete from fake_stripe.requests where claim = ${requestId} and status is null`;
}
