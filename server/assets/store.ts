import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow, integer, text } from '@/db/rows';
import { assets } from '@/db/schema/assets';

export type AssetRow = typeof assets.$inferSelect;

/** Storage use of an account, pending uploads included, read under a lock. */
export interface LockedStorage {
  accountId: string;
  provisional: boolean;
  frozen: boolean;
  usedBytes: number;
  count: number;
  /** The account's quota; null: the gateway's. */
  quotaMib: number | null;
}

const accountRow = defineRow({ provisional: boolean(), frozen: boolean() });

/**
 * Locks the storage of an account, so that files are added one at a time, and returns its use; null
 * if the account is closed. Takes the storage lock first, then a share lock on the account, so that
 * a claim or deletion cannot run at the same time.
 */
export async function lockStorage(tx: Executor, accountId: string): Promise<LockedStorage | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('assets:' || ${accountId}, 0))`);
  const [account] = await accountRow.read(
    tx.execute(sql`
      select type = 'provisional' as provisional, frozen_at is not null as frozen from accounts
      where id = ${accountId} and closed_at is null for share`),
  );
  if (!account) return null;
  return { accountId, ...account, ...(await sumStorage(tx, accountId)) };
}

const storageRow = defineRow({ used: text(), count: integer(), quota: integer().nullable() });

/** Sums what counts against the quota, thumbnails and pending uploads included. */
export async function sumStorage(
  db: Executor,
  accountId: string,
): Promise<Pick<LockedStorage, 'usedBytes' | 'count' | 'quotaMib'>> {
  const [use] = await storageRow.read(
    db.execute(sql`
      select coalesce(sum(size_bytes + coalesce(thumbnail_bytes, 0)), 0)::text as used, count(*)::int as count,
        (select asset_quota_mib from accounts where id = ${accountId}) as quota
      from assets
      where account_id = ${accountId} and deleted_at is null`),
  );
  return { usedBytes: Number(use?.used ?? 0), count: use?.count ?? 0, quotaMib: use?.quota ?? null };
}

const keyRow = defineRow({ account_id: text() });

/** Finds the current account of a key: a claim may have moved it during the call. */
export async function findAccountOfKey(db: Executor, keyId: string): Promise<string | null> {
  const [row] = await keyRow.read(db.execute(sql`select account_id from api_keys where id = ${keyId}`));
  return row?.account_id ?? null;
}

export async function insertAsset(tx: Executor, row: typeof assets.$inferInsert): Promise<void> {
  await tx.insert(assets).values(row);
}

/**
 * Makes an asset visible; null if it was discarded before, or the call that created it has ended.
 */
export async function markStored(
  tx: Executor,
  id: string,
  stored: { sizeBytes: number; sha256: string; contentType: string; filename: string },
): Promise<AssetRow | null> {
  const [row] = await tx
    .update(assets)
    .set({ ...stored, storedAt: sql`now()` })
    .where(
      and(
        eq(assets.id, id),
        isNull(assets.storedAt),
        isNull(assets.deletedAt),
        sql`(${assets.callId} is null or exists (select 1 from calls c where c.id = ${assets.callId}))`,
      ),
    )
    .returning();
  return row ?? null;
}

/** Finds an asset that is completely stored and not deleted. */
export async function findAsset(db: Executor, id: string): Promise<AssetRow | null> {
  const [row] = await db
    .select()
    .from(assets)
    .where(and(eq(assets.id, id), isNotNull(assets.storedAt), isNull(assets.deletedAt)));
  return row ?? null;
}

const ownerRow = defineRow({ account_id: text(), provisional: boolean() });

/** Finds the current account of an asset; null if it was deleted. */
export async function findOwner(
  db: Executor,
  id: string,
): Promise<{ accountId: string; provisional: boolean } | null> {
  const [row] = await ownerRow.read(
    db.execute(sql`
      select s.account_id, a.type = 'provisional' as provisional
      from assets s join accounts a on a.id = s.account_id
      where s.id = ${id} and s.deleted_at is null`),
  );
  return row ? { accountId: row.account_id, provisional: row.provisional } : null;
}

/** Stores the thumbnail of an asset; false if the asset was deleted. */
export async function setThumbnail(
  db: Executor,
  id: string,
  thumbnail: { key: string; bytes: number },
): Promise<boolean> {
  const rows = await db
    .update(assets)
    .set({ thumbnailKey: thumbnail.key, thumbnailBytes: thumbnail.bytes })
    .where(and(eq(assets.id, id), isNull(assets.deletedAt)))
    .returning({ id: assets.id });
  return rows.length > 0;
}

/** Hides an asset before its bytes are removed. */
export async function markDeleted(db: Executor, id: string): Promise<void> {
  await db
    .update(assets)
    .set({ deletedAt: sql`coalesce(${assets.deletedAt}, now())` })
    .where(eq(assets.id, id));
}

/** Discards an asset that is not visible yet; false if it is stored. */
export async function markDiscarded(db: Executor, id: string): Promise<boolean> {
  const rows = await db
    .update(assets)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(assets.id, id), isNull(assets.storedAt)))
    .returning({ id: assets.id });
  return rows.length > 0;
}

/** Hides all assets of an account. */
export async function markAllDeleted(tx: Executor, accountId: string): Promise<void> {
  await tx
    .update(assets)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(assets.accountId, accountId), isNull(assets.deletedAt)));
}

/** Hides expired assets, and unfinished ones older than any write may take. */
export async function markOutdated(tx: Executor, unfinishedMinutes: number, limit: number): Promise<number> {
  const rows = await tx.execute(sql`
    update assets set deleted_at = now() where id in (
      select id from assets where deleted_at is null
        and (expires_at < now()
          or stored_at is null and created_at < now() - make_interval(mins => ${unfinishedMinutes}::int))
      limit ${limit} for update skip locked)
    returning 1`);
  return rows.length;
}

/** Lists hidden assets, in the order of their ids. */
export async function listDeleted(
  db: Executor,
  after: string,
  limit: number,
): Promise<{ id: string; blobKey: string }[]> {
  return await db
    .select({ id: assets.id, blobKey: assets.blobKey })
    .from(assets)
    .where(and(isNotNull(assets.deletedAt), sql`${assets.id} > ${after}`))
    .orderBy(assets.id)
    .limit(limit);
}

/** Lists the assets that a call created. */
export async function listCallAssets(
  db: Executor,
  callId: string,
): Promise<{ id: string; blobKey: string }[]> {
  return await db
    .select({ id: assets.id, blobKey: assets.blobKey })
    .from(assets)
    .where(eq(assets.callId, callId));
}

export async function deleteAssetRow(db: Executor, id: string): Promise<void> {
  await db.delete(assets).where(and(eq(assets.id, id), isNotNull(assets.deletedAt)));
}

const blobRow = defineRow({ blob_key: text() });

/** Returns the blob keys of those of the assets that have a row. */
export async function findKnownKeys(db: Executor, ids: readonly string[]): Promise<Set<string>> {
  const rows = await blobRow.read(
    db.execute(sql`select blob_key from assets where id in ${ids.length > 0 ? ids : ['']}`),
  );
  return new Set(rows.map((row) => row.blob_key));
}
