import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { assets } from '@/db/schema/assets';
import type { AssetFilter, AssetKind } from './schema';
import type { AssetRow } from './store';

/** The kind of a file. The only definition: filters, counts and labels use it. */
const KIND = sql<AssetKind>`case
  when ${assets.contentType} like 'image/%' then 'image'
  when ${assets.contentType} like 'audio/%' then 'audio'
  when ${assets.contentType} like 'video/%' then 'video'
  when ${assets.contentType} = 'application/pdf' then 'pdf'
  when ${assets.contentType} like 'text/%' or ${assets.contentType} in ('application/json', 'application/xml') then 'text'
  else 'other' end`;

/**
 * Visible files of an account: not those of a running call, which may still fail or be cancelled.
 */
function isVisible(accountId: string) {
  return and(
    eq(assets.accountId, accountId),
    isNotNull(assets.storedAt),
    isNull(assets.deletedAt),
    sql`not exists (select 1 from calls c where c.id = ${assets.callId})`,
  );
}

/** The files of an account, or those that one of its keys uploaded or created. */
export interface AssetScope {
  accountId: string;
  keyId: string | null;
}

function createdBy(keyId: string | null) {
  return keyId === null ? undefined : eq(assets.keyId, keyId);
}

/** End of a page: the id of the last file, and its size for the order by size. */
export interface AssetPosition {
  id: string;
  sizeBytes: number;
}

export interface AssetListRow {
  row: AssetRow;
  kind: AssetKind;
}

/** Lists files newest first (ids sort by time), or largest first, then newest. */
export async function listAssetRows(
  db: Executor,
  { accountId, keyId }: AssetScope,
  { q, kind, tool, sort }: AssetFilter,
  after: AssetPosition | null,
  limit: number,
): Promise<AssetListRow[]> {
  const bySize = sort === 'largest';
  const rest = bySize
    ? sql`(${assets.sizeBytes}, ${assets.id}) < (${after?.sizeBytes ?? 0}::bigint, ${after?.id ?? ''})`
    : sql`${assets.id} < ${after?.id ?? ''}`;
  return await db
    .select({ row: assets, kind: KIND })
    .from(assets)
    .where(
      and(
        isVisible(accountId),
        createdBy(keyId),
        q ? sql`strpos(lower(${assets.filename}), lower(${q.normalize('NFC')})) > 0` : undefined,
        kind ? sql`${KIND} = ${kind}` : undefined,
        tool === undefined ? undefined : tool === 'upload' ? isNull(assets.tool) : eq(assets.tool, tool),
        after ? rest : undefined,
      ),
    )
    .orderBy(...(bySize ? [desc(assets.sizeBytes), desc(assets.id)] : [desc(assets.id)]))
    .limit(limit);
}

/** Counts the visible files of an account by kind and creating tool; null stands for uploads. */
export async function countAssets(
  db: Executor,
  accountId: string,
): Promise<{ kind: AssetKind; tool: string | null; count: number }[]> {
  return await db
    .select({ kind: KIND, tool: assets.tool, count: sql<number>`count(*)::int` })
    .from(assets)
    .where(isVisible(accountId))
    .groupBy(KIND, assets.tool);
}

/** Hides those of the files that are in the scope; returns them with their blob keys. */
export async function markAccountAssetsDeleted(
  db: Executor,
  { accountId, keyId }: AssetScope,
  ids: readonly string[],
): Promise<{ id: string; blobKey: string }[]> {
  return await db
    .update(assets)
    .set({ deletedAt: sql`now()` })
    .where(
      and(
        eq(assets.accountId, accountId),
        createdBy(keyId),
        sql`${assets.id} in ${ids.length > 0 ? ids : ['']}`,
        isNotNull(assets.storedAt),
        isNull(assets.deletedAt),
      ),
    )
    .returning({ id: assets.id, blobKey: assets.blobKey });
}
