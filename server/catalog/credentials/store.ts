import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor, Sql } from '@/db/client';
import { defineRow, integer, type RowOf, text } from '@/db/rows';
import { credentials } from '@/db/schema/credentials';

export type CredentialRow = typeof credentials.$inferSelect;

/** Lists all saved values of an account, oldest first. */
export async function listCredentials(db: Executor, accountId: string): Promise<CredentialRow[]> {
  return await db
    .select()
    .from(credentials)
    .where(eq(credentials.accountId, accountId))
    .orderBy(asc(credentials.createdAt), asc(credentials.id));
}

/** Lists an account's saved values of one provider, oldest first. */
export async function listProviderCredentials(
  db: Executor,
  accountId: string,
  slot: string,
): Promise<CredentialRow[]> {
  return await db
    .select()
    .from(credentials)
    .where(and(eq(credentials.accountId, accountId), eq(credentials.slot, slot)))
    .orderBy(asc(credentials.createdAt), asc(credentials.id));
}

/** Inserts a value or replaces one; the new value counts as never used. */
export async function upsertCredential(tx: Executor, row: typeof credentials.$inferInsert): Promise<void> {
  const { sealed, vaultKeyId, version, mask, isDefault } = row;
  await tx
    .insert(credentials)
    .values({ ...row, createdAt: sql`clock_timestamp()`, updatedAt: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: credentials.id,
      set: {
        sealed,
        vaultKeyId,
        version,
        mask,
        isDefault,
        lastUsedAt: null,
        updatedAt: sql`clock_timestamp()`,
      },
      setWhere: eq(credentials.accountId, row.accountId),
    });
}

export async function clearDefault(tx: Executor, accountId: string, slot: string): Promise<void> {
  await tx
    .update(credentials)
    .set({ isDefault: false })
    .where(and(eq(credentials.accountId, accountId), eq(credentials.slot, slot), credentials.isDefault));
}

export async function makeDefault(tx: Executor, accountId: string, id: string): Promise<void> {
  await tx
    .update(credentials)
    .set({ isDefault: true })
    .where(and(eq(credentials.accountId, accountId), eq(credentials.id, id)));
}

export async function deleteCredentials(tx: Executor, accountId: string, ids: string[]): Promise<void> {
  await tx.delete(credentials).where(and(eq(credentials.accountId, accountId), inArray(credentials.id, ids)));
}

export async function deleteAllCredentials(tx: Executor, accountId: string): Promise<number> {
  const gone = await tx
    .delete(credentials)
    .where(eq(credentials.accountId, accountId))
    .returning({ id: credentials.id });
  return gone.length;
}

/** Deletes the values of all accounts for a provider. */
export async function deleteProviderCredentials(tx: Executor, slot: string): Promise<number> {
  const gone = await tx
    .delete(credentials)
    .where(eq(credentials.slot, slot))
    .returning({ id: credentials.id });
  return gone.length;
}

/** A saved value in the form that a call needs. */
const savedValueRow = defineRow({
  id: text(),
  accountId: text(),
  slot: text(),
  sealed: text(),
  version: integer(),
});
export type SavedValue = RowOf<typeof savedValueRow>;

/**
 * Finds the default values in the account that the key belongs to now, whichever account is
 * charged.
 */
export async function findDefaults(db: Sql, keyId: string, slots: readonly string[]): Promise<SavedValue[]> {
  return await savedValueRow.read(db`
    select c.id, c.account_id as "accountId", c.slot, c.sealed, c.version
    from api_keys k join credentials c on c.account_id = k.account_id
    where k.id = ${keyId} and c.slot = any(${arrayLiteral(slots)}::text[]) and c.is_default`);
}

/** Records the use of the default value, at most once a minute to save writes. */
export async function touchDefault(db: Sql, keyId: string, slot: string): Promise<void> {
  await db`
    update credentials c set last_used_at = now() from api_keys k
    where k.id = ${keyId} and c.account_id = k.account_id and c.slot = ${slot} and c.is_default
      and (c.last_used_at is null or c.last_used_at < now() - interval '1 minute')`;
}

const sealedCountRow = defineRow({ keyId: text(), saved: integer(), queued: integer() });

/** Counts the sealed values by vault key. */
export async function countSealed(db: Sql): Promise<{ keyId: string; saved: number; queued: number }[]> {
  return await sealedCountRow.read(db`
    select key_id as "keyId", sum(saved)::int as saved, sum(queued)::int as queued from (
      select vault_key_id as key_id, 1 as saved, 0 as queued from credentials
      union all
      select split_part(sealed_key, '.', 2), 0, 1 from queued_call_states where sealed_key is not null
      union all
      select vault_key_id, 1, 0 from imported_slots where sealed is not null
    ) s group by key_id order by key_id`);
}

/** Lists values sealed with another vault key, in id order after `afterId`. */
export async function listSealedBefore(
  db: Sql,
  vaultKeyId: string,
  afterId: string,
  limit: number,
): Promise<SavedValue[]> {
  return await savedValueRow.read(db`
    select id, account_id as "accountId", slot, sealed, version from credentials
    where vault_key_id <> ${vaultKeyId} and id > ${afterId} order by id limit ${limit}`);
}

/** @returns false if the value was replaced or removed concurrently */
export async function replaceSealed(
  db: Sql,
  value: SavedValue,
  next: { sealed: string; vaultKeyId: string },
): Promise<boolean> {
  const rows = await db`
    update credentials set sealed = ${next.sealed}, vault_key_id = ${next.vaultKeyId}
    where id = ${value.id} and account_id = ${value.accountId} and sealed = ${value.sealed} returning 1`;
  return rows.length > 0;
}

const queuedRow = defineRow({ callId: text(), sealed: text() });

/** Lists keys of queued calls sealed with another vault key. */
export async function listQueuedSealedBefore(
  db: Sql,
  vaultKeyId: string,
  afterId: string,
  limit: number,
): Promise<{ callId: string; sealed: string }[]> {
  return await queuedRow.read(db`
    select call_id as "callId", sealed_key as sealed from queued_call_states
    where sealed_key is not null and split_part(sealed_key, '.', 2) <> ${vaultKeyId} and call_id > ${afterId}
    order by call_id limit ${limit}`);
}

/** @returns false if the call has ended */
export async function replaceQueuedSealed(
  db: Sql,
  { callId, sealed }: { callId: string; sealed: string },
  next: string,
): Promise<boolean> {
  const rows = await db`
    update queued_call_states set sealed_key = ${next} where call_id = ${callId} and sealed_key = ${sealed} returning 1`;
  return rows.length > 0;
}
