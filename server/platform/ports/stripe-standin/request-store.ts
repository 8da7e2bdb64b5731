import type postgres from 'postgres';
import type { Sql } from '@/db/client';

/** A request with an Idempotency-Key, as far as it is known. */
export interface KnownRequest {
  fingerprint: string;
  /** Null while the first one runs. */
  status: number | null;
  body: string | null;
}

/** What has not ended by then has died, or is refused when it ends. */
const ABANDONED = '10 seconds';
const KEPT = '24 hours';

/**
 * Takes a key for a request; false where it has been taken by another or an equal one.
 * @param claim names the one who takes it
 */
export async function claimRequest(
  sql: Sql,
  key: string,
  fingerprint: string,
  claim: string,
): Promise<boolean> {
  const rows = await sql`
    insert into stripe_standin.requests as known (key, fingerprint, claim, started_at)
    values (${key}, ${fingerprint}, ${claim}, clock_timestamp())
    on conflict (key) do update
    set fingerprint = excluded.fingerprint, claim = excluded.claim, status = null, body = null,
      started_at = excluded.started_at
    where known.started_at < clock_timestamp() - ${KEPT}::interval
      or (known.status is null and known.started_at < clock_timestamp() - ${ABANDONED}::interval)
    returning key`;
  return rows.length > 0;
}

export async function findRequest(sql: Sql, key: string): Promise<KnownRequest | null> {
  const [row] = await sql<KnownRequest[]>`
    select fingerprint, status, body from stripe_standin.requests where key = ${key}`;
  return row ?? null;
}

/** Keeps the answer, in the transaction that makes it true; false where another has taken the key meanwhile. */
export async function finishRequest(
  tx: postgres.ISql<{ bigint: bigint }>,
  claim: string,
  status: number,
  body: string,
): Promise<boolean> {
  const rows = await tx`
    update stripe_standin.requests set status = ${status}, body = ${body} where claim = ${claim} returning key`;
  return rows.length > 0;
}

/** Gives the key of a request back that changed nothing. */
export async function releaseRequest(sql: Sql, claim: string): Promise<void> {
  await sql`delete from stripe_standin.requests where claim = ${claim} and status is null`;
}
