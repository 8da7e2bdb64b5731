import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { assets } from '@/db/schema/assets';
import type { AssetFilter, AssetKind } from './schema';
import type { AssetRow } from './store';

/** What people call it. One truth: lists are filtered, counted and marked by it. */
const KIND = sql<AssetKind>`case
  when ${assets.contentType} like 'image/%' then 'image'
  when ${assets.contentType} like 'audio/%' then 'audio'
  when ${assets.contentType} like 'video/%' then 'video'
  when ${assets.contentType} = 'application/pdf' then 'pdf'
  when ${assets.contentType} like 'text/%' or ${assets.contentType} in ('application/json', 'application/xml') then 'text'
  else 'other' end`;

/** The files of an account that it can see: not what a call makes that may still fail or be cancelled, for which nobody has paid. */
function visible(accountId: string) {
  return and(
    eq(assets.accountId, accountId),
    isNotNull(assets.storedAt),
    isNull(assets.deletedAt),
    sql`not exists (select 1 from calls c where c.id = ${assets.callId})`,
  );
}

/** Where a page ended: the last file's id, and its size where the order is by size. */
export interface AssetPosition {
  id: string;
  sizeBytes: number;
}

export interface AssetListRow {
  row: AssetRow;
  kind: AssetKind;
}

/** Newest first (ids sort by time), or largest first and among equals newest. */
export async function listAssetRows(
  db: Executor,
  accountId: string,
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
        visible(accountId),
        q ? sql`strpos(lower(${assets.filename}), lower(${q})) > 0` : undefined,
        kind ? sql`${KIND} = ${kind}` : undefined,
        tool === undefined ? undefined : tool === 'upload' ? isNull(assets.tool) : eq(assets.tool, tool),
        after ? rest : undefined,
      ),
    )
    .orderBy(...(bySize ? [desc(assets.sizeBytes), desc(assets.id)] : [desc(assets.id)]))
    .limit(limit);
}

/** How many files an account can see, by kind and by what made them; null stands for uploads. */
export async function countAssets(
  db: Executor,
  accountId: string,
): Promise<{ kind: AssetKind; tool: string | null; count: number }[]> {
  return await db
    .select({ kind: KIND, tool: assets.tool, count: sql<number>`count(*)::int` })
    .from(assets)
    .where(visible(accountId))
    .groupBy(KIND, assets.tool);
}

/** Hides those of an account and says where their bytes are; what it has not is left out. */
export async function markOwnManyDeleted(
  db: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<{ id: string; blobKey: string }[]> {
  return await db
    .update(assets)
    .set({ deletedAt: sql`now()` })
    .where(
      and(
        eq(assets.accountId, accountId),
        sql`${assets.id} in ${ids.length > 0 ? ids : ['']}`,
        isNotNull(assets.storedAt),
        isNull(assets.deletedAt),
      ),
    )
    .returning({ id: assets.id, blobKey: assets.blobKey });
}
