import { ApiIndexView } from '@/components/docs/api-index';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';
import { publicPage } from '../../../public-page';

export const metadata = publicPage({
  path: '/docs/api',
  title: 'API reference',
  description:
    'Every route with its parameters, request bodies, responses and errors, and examples in curl, TypeScript and Python.',
});

export default async function ApiPage() {
  const api = await createCaller();
  return <ApiIndexView reference={await api.guides.api()} baseUrl={getRuntime().settings.baseUrl} />;
}
