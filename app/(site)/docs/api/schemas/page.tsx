import { ApiSchemasView } from '@/components/docs/api-schemas';
import { createCaller } from '@/server/api/trpc/caller';
import { publicPage } from '../../../../public-page';

export const metadata = publicPage({
  path: '/docs/api/schemas',
  title: 'API schemas',
  description: 'The fields of every request and response schema.',
});

export default async function SchemasPage() {
  const api = await createCaller();
  return <ApiSchemasView schemas={(await api.guides.api()).schemas} />;
}
