import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { countAssets } from './list-store';
import { listUses } from './list-uses';
import { ASSET_KINDS, type AssetOverview } from './schema';
import { sumStorage } from './store';

const MIB = 1024 * 1024;

/** Summarizes the files of an account: counts, used bytes, quota and limits. */
export async function getOverview(
  runtime: Pick<Runtime, 'catalog' | 'db' | 'settings' | 'versions'>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<AssetOverview> {
  const { settings, db } = runtime;
  const [counts, use] = await Promise.all([countAssets(db, accountId), sumStorage(db, accountId)]);
  const sum = (rows: typeof counts) => rows.reduce((total, { count }) => total + count, 0);
  const makers = [...new Set(counts.map(({ tool }) => tool))];
  return {
    used_bytes: use.usedBytes,
    quota_bytes: (use.quotaMib ?? settings.assetQuotaMib) * MIB,
    retention_days: settings.assetRetentionDays,
    upload_limit_bytes: settings.uploadLimitMib * MIB,
    count: sum(counts),
    kinds: ASSET_KINDS.map((kind) => ({
      kind,
      count: sum(counts.filter((row) => row.kind === kind)),
    })).filter(({ count }) => count > 0),
    tools: makers
      .map((tool) => ({ tool, count: sum(counts.filter((row) => row.tool === tool)) }))
      .sort((a, b) => b.count - a.count || (a.tool ?? '').localeCompare(b.tool ?? '', 'en')),
    uses: listUses(runtime),
  };
}
