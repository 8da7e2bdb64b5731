import { sql as drizzleSql, type SQL } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor, Sql } from '@/db/client';
import { bigint, boolean, defineRow, integer, type RowOf, text, timestamptz } from '@/db/rows';
import { MAX_STORED_BYTES } from './limits';

const accountRow = defineRow({ account_id: text() });

/** The open accounts that store contents. */
export async function listStoringAccounts(sql: Sql): Promise<string[]> {
  const rows = await accountRow.read(sql`
    select s.account_id from call_content_settings s join accounts a on a.id = s.account_id
    where s.days is not null and a.closed_at is null`);
  return rows.map(({ account_id: id }) => id);
}

/** A sealed content, as it is inserted. */
export interface NewContent {
  callId: string;
  accountId: string;
  keyId: string;
  sealed: string;
}

const insertedRow = defineRow({ stored: integer() });

/**
 * Inserts contents of accounts that still store them, up to the limit of each account.
 * @returns how many were inserted
 */
export async function insertContents(
  sql: Sql,
  contents: readonly NewContent[],
  vaultKeyId: string,
): Promise<number> {
  const [row] = await insertedRow.read(sql`
    with sent as (
      select u.*, length(u.sealed) as bytes, sum(length(u.sealed)) over (partition by u.account_id order by u.call_id) as total
      from unnest(${arrayLiteral(contents.map((c) => c.callId))}::text[],
        ${arrayLiteral(contents.map((c) => c.accountId))}::text[],
        ${arrayLiteral(contents.map((c) => c.keyId))}::text[],
        ${arrayLiteral(contents.map((c) => c.sealed))}::text[]) u(call_id, account_id, key_id, sealed)
    ), locked as (
      select s.account_id, s.stored_bytes from call_content_settings s
      where s.account_id in (select account_id from sent) and s.days is not null
      order by s.account_id for no key update
    ), added as (
      insert into call_contents (call_id, account_id, key_id, sealed, vault_key_id, bytes, created_at)
      select s.call_id, s.account_id, s.key_id, s.sealed, ${vaultKeyId}, s.bytes, clock_timestamp()
      from sent s join locked l using (account_id) where l.stored_bytes + s.total <= ${MAX_STORED_BYTES}::bigint
      on conflict (call_id) do nothing
      returning account_id, bytes
    ), counted as (
      update call_content_settings s set stored_bytes = s.stored_bytes + a.bytes
      from (select account_id, sum(bytes) as bytes from added group by account_id) a
      where s.account_id = a.account_id
    )
    select count(*)::int as stored from added`);
  return row?.stored ?? 0;
}

const contentRow = defineRow({
  account_id: text(),
  sealed: text(),
  /** Whether the key of the call belongs to the viewer. */
  is_own: boolean(),
  expires_at: timestamptz(),
});

/** Finds the content of a call that was charged to one of the accounts, unless it has expired. */
export async function findContent(
  db: Executor,
  callId: string,
  viewer: { accountId: string; accountIds: readonly string[]; maxDays: number },
): Promise<RowOf<typeof contentRow> | null> {
  const days = drizzleSql`make_interval(days => least(s.days, ${viewer.maxDays}::int))`;
  const [row] = await contentRow.read(
    db.execute(drizzleSql`
      select c.account_id, c.sealed, coalesce(k.account_id = ${viewer.accountId}, false) as is_own,
        c.created_at + ${days} as expires_at
      from call_contents c join call_content_settings s on s.account_id = c.account_id
        left join api_keys k on k.id = c.key_id
      where c.call_id = ${callId} and c.account_id = any(${drizzleSql.param([...viewer.accountIds])}::text[])
        and c.created_at >= s.enabled_at and c.created_at + ${days} > now()`),
  );
  return row ?? null;
}

const settingsRow = defineRow({ days: integer().nullable(), bytes: bigint() });

/** The setting of an account; null if it has never stored contents. */
export async function findSettings(
  db: Executor,
  accountId: string,
): Promise<RowOf<typeof settingsRow> | null> {
  const [row] = await settingsRow.read(
    db.execute(drizzleSql`
      select days, stored_bytes as bytes from call_content_settings where account_id = ${accountId}`),
  );
  return row ?? null;
}

/**
 * Sets how long an account stores contents; null stops. Contents from before a pause stay
 * unreadable.
 * @returns the days before
 */
export async function saveDays(tx: Executor, accountId: string, days: number | null): Promise<number | null> {
  const [before] = await settingsRow.read(
    tx.execute(drizzleSql`
      select days, stored_bytes as bytes from call_content_settings where account_id = ${accountId} for update`),
  );
  await tx.execute(drizzleSql`
    insert into call_content_settings as s (account_id, days, enabled_at)
    values (${accountId}, ${days}::int, clock_timestamp())
    on conflict (account_id) do update set days = excluded.days,
      enabled_at = case when s.days is null then excluded.enabled_at else s.enabled_at end`);
  await notifyContents(tx);
  return before?.days ?? null;
}

/** Makes each process read again which accounts store contents. */
async function notifyContents(tx: Executor): Promise<void> {
  await tx.execute(drizzleSql`select pg_notify('gateway', 'contents')`);
}

/** Stops storing contents of an account that is deleted; false if it stored none. */
export async function stopStoring(tx: Executor, accountId: string): Promise<boolean> {
  const { count } = await tx.execute(drizzleSql`
    update call_content_settings set days = null where account_id = ${accountId}`);
  if (count > 0) await notifyContents(tx);
  return count > 0;
}

/**
 * Deletes contents of an account that stores none any more. Those that the sweep deletes right now
 * are skipped: it waits for the account's row, which the caller has locked.
 * @returns how many
 */
export async function deleteOfAccount(tx: Executor, accountId: string, limit: number): Promise<number> {
  return await deleteContents(
    tx,
    drizzleSql`select c.call_id from call_contents c join call_content_settings s on s.account_id = c.account_id
      where c.account_id = ${accountId} and (s.days is null or c.created_at < s.enabled_at) limit ${limit}
      for update of c skip locked`,
  );
}

/**
 * Deletes contents that are older than their account wants, or of accounts that store none any more
 * or are closed. @returns how many
 */
export async function deleteExpiredContents(tx: Executor, maxDays: number, limit: number): Promise<number> {
  return await deleteContents(
    tx,
    drizzleSql`select old.call_id from call_content_settings s join accounts a on a.id = s.account_id
      cross join lateral (
        select c.call_id from call_contents c where c.account_id = s.account_id and c.created_at < case
          when s.days is null or a.closed_at is not null then 'infinity'
          else greatest(s.enabled_at, now() - make_interval(days => least(s.days, ${maxDays}::int))) end
        order by c.created_at limit ${limit} for update skip locked
      ) old limit ${limit}`,
  );
}

/** Locks the accounts in id order, as inserting contents does, so that neither deadlocks. */
async function deleteContents(tx: Executor, callIds: SQL): Promise<number> {
  const [row] = await insertedRow.read(
    tx.execute(drizzleSql`
      with gone as (
        delete from call_contents where call_id in (${callIds}) returning account_id, bytes
      ), locked as (
        select s.account_id from call_content_settings s where s.account_id in (select account_id from gone)
        order by s.account_id for no key update
      ), counted as (
        update call_content_settings s set stored_bytes = greatest(0, s.stored_bytes - g.bytes)
        from (select account_id, sum(bytes) as bytes from gone group by account_id) g join locked using (account_id)
        where s.account_id = g.account_id
      )
      select count(*)::int as stored from gone`),
  );
  return row?.stored ?? 0;
}

const sealedCountRow = defineRow({ keyId: text(), contents: integer() });

/** Counts contents by the vault key that has sealed them. */
export async function countSealedContents(db: Executor): Promise<RowOf<typeof sealedCountRow>[]> {
  return await sealedCountRow.read(
    db.execute(drizzleSql`
      select vault_key_id as "keyId", count(*)::int as contents from call_contents group by 1`),
  );
}

const sealedRow = defineRow({ call_id: text(), account_id: text(), sealed: text() });
export type SealedContent = RowOf<typeof sealedRow>;

/** Lists contents that another vault key has sealed, in id order after `afterId`. */
export async function listContentsSealedBefore(
  db: Executor,
  vaultKeyId: string,
  afterId: string,
  limit: number,
): Promise<SealedContent[]> {
  return await sealedRow.read(
    db.execute(drizzleSql`
      select call_id, account_id, sealed from call_contents
      where vault_key_id <> ${vaultKeyId} and call_id > ${afterId} order by call_id limit ${limit}`),
  );
}

/** @returns false if the content was deleted concurrently */
export async function replaceSealedContent(
  db: Executor,
  { call_id: callId, sealed }: SealedContent,
  next: { sealed: string; vaultKeyId: string },
): Promise<boolean> {
  const { count } = await db.execute(drizzleSql`
    update call_contents set sealed = ${next.sealed}, vault_key_id = ${next.vaultKeyId}
    where call_id = ${callId} and sealed = ${sealed}`);
  return count > 0;
}
