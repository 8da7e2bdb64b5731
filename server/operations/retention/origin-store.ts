import { sql } from 'drizzle-orm';
import type { Executor, Sql } from '@/db/client';
import { boolean, defineRow, integer, text } from '@/db/rows';

const clearedRow = defineRow({
  account_id: text(),
  cleared: integer(),
  read: integer(),
  key_id: text().nullable(),
  call_id: text().nullable(),
});

/**
 * Removes the client addresses and error messages of the next calls of a deleted account, in the
 * order of its keys.
 * @returns how many were removed; null if no account is left
 */
export async function clearAddresses(tx: Executor, limit: number): Promise<number | null> {
  const [row] = await clearedRow.read(
    tx.execute(sql`
      with due as (
        select account_id, key_id, call_id from address_removals order by account_id limit 1
      ), page as materialized (
        select u.key_id, u.id, u.created_at from due d join usage_records u
          on u.key_id = any(array(select k.id from api_keys k where k.account_id = (select account_id from due)))
          and (u.key_id, u.id) > (d.key_id, d.call_id)
        order by u.key_id, u.id limit ${limit}
      ), cleared as (
        update usage_records u set client_address = null, error_message = null from page p
        where u.key_id = p.key_id and u.id = p.id and u.created_at = p.created_at
          and num_nonnulls(u.client_address, u.error_message) > 0
        returning 1
      )
      select d.account_id, (select count(*)::int from cleared) as cleared, (select count(*)::int from page) as read,
        (select p.key_id from page p order by p.key_id desc, p.id desc limit 1) as key_id,
        (select p.id from page p order by p.key_id desc, p.id desc limit 1) as call_id
      from due d`),
  );
  if (!row) return null;
  if (row.read < limit)
    await tx.execute(sql`delete from address_removals where account_id = ${row.account_id}`);
  else
    await tx.execute(sql`update address_removals set key_id = ${row.key_id}, call_id = ${row.call_id}
      where account_id = ${row.account_id}`);
  return row.cleared;
}

const monthRow = defineRow({ month: text() });

/** The partitions of usage without an index by request id, newest first. */
export async function listMonthsWithoutRequestIndex(db: Executor): Promise<string[]> {
  const rows = await monthRow.read(
    db.execute(sql`
      select c.relname::text as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'usage_records'::regclass and not exists (
        select 1 from pg_index x join pg_inherits h on h.inhrelid = x.indexrelid
        where x.indrelid = c.oid and h.inhparent = 'usage_records_request'::regclass)
      order by c.relname desc`),
  );
  return rows.map(({ month }) => month);
}

const lockedRow = defineRow({ locked: boolean() });
const validRow = defineRow({ valid: boolean() });

/**
 * Creates the index of a month without blocking calls. Not in a transaction.
 * @param sql a single connection without a time limit
 * @returns false if another process creates one
 */
export async function createRequestIndex(sql: Sql, month: string): Promise<boolean> {
  const [row] = await lockedRow.read(
    sql`select pg_try_advisory_lock(hashtext('usage_records_request')) as locked`,
  );
  if (!row?.locked) return false;
  const name = `${month}_request`;
  const index = sql(name);
  const [built] = await validRow.read(
    sql`select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`,
  );
  // An earlier attempt built it, and the table was too busy to attach it.
  if (built?.valid) return true;
  // One that was interrupted left it invalid.
  await sql`drop index concurrently if exists ${index}`;
  await sql`create index concurrently ${index} on ${sql(month)} (account_id, request_id, id) where request_id <> ''`;
  return true;
}

/** Makes the index of a month a part of the table's. The next sweep retries if it is locked. */
export async function attachRequestIndex(sql: Sql, month: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local lock_timeout = '100ms'`;
    await tx`alter index usage_records_request attach partition ${tx(`${month}_request`)}`;
  });
}
