import { DocsHome } from '@/components/docs/docs-home';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';
import { publicPage } from '../../public-page';

export const metadata = publicPage({
  path: '/docs',
  title: 'Documentation',
  description:
    'A first call in a minute, guides to calls, jobs, streams and money, every error code, and the API reference.',
});

export default async function DocsPage() {
  const api = await createCaller();
  const [guides, quickstart] = await Promise.all([
    api.guides.list(),
    api.guides.find({ name: 'quickstart' }),
  ]);
  return (
    <DocsHome guides={guides} quickstart={quickstart?.blocks ?? []} baseUrl={getRuntime().settings.baseUrl} />
  );
}
