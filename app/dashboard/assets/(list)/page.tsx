import type { Metadata } from 'next';
import { ASSETS_PAGE, readAssetFilter } from '@/components/assets/asset-filters';
import { AssetsPanel } from '@/components/assets/assets-panel';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/auth/require-viewer';
import { createCaller } from '@/server/trpc/caller';

export const metadata: Metadata = { title: 'Assets' };

export default async function AssetsPage({ searchParams }: { searchParams: QueryParams }) {
  await requireViewer('/dashboard/assets');
  const params = await searchParams;
  const filter = readAssetFilter((name) => firstValue(params[name]));
  const api = await createCaller();
  const [overview, list] = await Promise.all([
    api.assets.overview(),
    api.assets.list({ ...filter, limit: ASSETS_PAGE }),
  ]);
  return <AssetsPanel overview={overview} list={list} filter={filter} />;
}
