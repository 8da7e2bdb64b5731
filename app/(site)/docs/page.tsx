import { DocsHome } from '@/components/docs/docs-home';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';
import { publicPage } from '../../public-page';

export const metadata = publicPage({
  path: '/docs',
  title: 'Documentation',
  description:
    'Make your first call in a minute. Guides to calls, jobs, streaming and billing, every error code, and the API reference.',
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
