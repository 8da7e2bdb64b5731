import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ASSETS_PAGE, readAssetFilter } from '@/components/assets/asset-filters';
import { AssetsPanel } from '@/components/assets/assets-panel';
import { AssetsSkeleton } from '@/components/assets/assets-skeleton';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import type { AssetFilter } from '@/server/assets/schema';
import { buildPath } from '../build-path';

export const metadata: Metadata = { title: 'Assets' };

/**
 * Signing in redirects back to the same file or search. The loading boundary is inside the page:
 * one around it would stream instead of redirecting, and a layout cannot read the query.
 */
export default async function AssetsPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  await requireViewer(buildPath('/dashboard/assets', params));
  return (
    <Suspense fallback={<AssetsSkeleton />}>
      <Assets filter={readAssetFilter((name) => firstValue(params[name]))} />
    </Suspense>
  );
}

async function Assets({ filter }: { filter: AssetFilter }) {
  const api = await createCaller();
  const [overview, list] = await Promise.all([
    api.assets.overview(),
    api.assets.list({ ...filter, limit: String(ASSETS_PAGE) }),
  ]);
  return <AssetsPanel overview={overview} list={list} filter={filter} />;
}
