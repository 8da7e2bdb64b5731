import { Catalogue } from '@/components/site/catalogue';
import { readOrder } from '@/components/site/catalogue-order';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { PageHeader } from '@/components/ui/page-header';
import { createCaller } from '@/server/api/trpc/caller';
import { MAX_SEARCH_LENGTH } from '@/server/catalog/tools/limits';
import { publicPage } from '../../public-page';

export const metadata = publicPage({
  // Searches and categories are views of this page.
  path: '/tools',
  title: 'Catalogue',
  description: 'Every tool on this gateway, with its skills, prices and ratings. Search in plain language.',
});

interface Props {
  searchParams: QueryParams;
}

/**
 * Not streamed: the list is in memory, and a skeleton shown for milliseconds would shift the page.
 */
export default async function CataloguePage({ searchParams }: Props) {
  const params = await searchParams;
  const q = firstValue(params.q).trim().slice(0, MAX_SEARCH_LENGTH);
  const category = firstValue(params.category).slice(0, 64);
  const order = readOrder(firstValue(params.sort));
  const api = await createCaller();
  const [{ tools }, search] = await Promise.all([
    api.tools.list({ limit: '500' }),
    q ? api.tools.search({ q, limit: '500' }) : null,
  ]);
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-6 px-4 pt-10 sm:px-6 sm:pt-14">
      <PageHeader
        title="Catalogue"
        description="Tools your agents can call with their API key. This is the same search that agents use."
      />
      <Catalogue tools={tools} initial={{ q, category, order, found: search }} />
    </div>
  );
}
