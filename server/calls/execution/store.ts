import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import { defineRow, text } from '@/db/rows';

const idRow = defineRow({ id: text() });

/**
 * Extends the leases of calls that run in this process; returns the ids it still owns. Skips locked
 * rows, which are being closed: waiting for them could deadlock, because a close locks in another
 * order. No seconds end a lease.
 */
export async function extendLeases(
  sql: Sql,
  ids: string[],
  fence: string,
  leaseSeconds: number,
): Promise<string[]> {
  const rows = await idRow.read(sql`
    update calls set lease_expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where id in (
      select id from calls where id = any(${arrayLiteral(ids)}::text[]) and fence = ${fence} for no key update skip locked
    )
    returning id`);
  return rows.map((row) => row.id);
}

/** Returns those of the calls that this process still owns. */
export async function findOpenCalls(sql: Sql, ids: string[], fence: string): Promise<string[]> {
  const rows = await idRow.read(sql`
    select id from calls where id = any(${arrayLiteral(ids)}::text[]) and fence = ${fence}`);
  return rows.map((row) => row.id);
}
