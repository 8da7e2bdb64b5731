import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ASSETS_PAGE, readAssetFilter } from '@/components/assets/asset-filters';
import { AssetsPanel } from '@/components/assets/assets-panel';
import { AssetsSkeleton } from '@/components/assets/assets-skeleton';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import type { AssetFilter } from '@/server/assets/schema';
import { addressOf } from '../address-of';

export const metadata: Metadata = { title: 'Assets' };

/**
 * A link to one file or to a search is a link also for who has to sign in first. The loading boundary is in the page: one
 * around it would turn the redirect into a page, and a layout does not know the query.
 */
export default async function AssetsPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  await requireViewer(addressOf('/dashboard/assets', params));
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
    api.assets.list({ ...filter, limit: ASSETS_PAGE }),
  ]);
  return <AssetsPanel overview={overview} list={list} filter={filter} />;
}
