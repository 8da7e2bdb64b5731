import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ApiSchemaView } from '@/components/docs/api-schema';
import { createCaller } from '@/server/api/trpc/caller';
import { publicPage } from '../../../../../public-page';

interface Props {
  params: Promise<{ schema: string }>;
}

async function findSchema({ params }: Props) {
  const { schema } = await params;
  const { schemas } = await (await createCaller()).guides.api();
  return schemas.find(({ name }) => name === schema);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const schema = await findSchema(props);
  if (!schema) return { title: 'Not found' };
  const { name, href, description } = schema;
  return publicPage({
    path: href,
    title: `${name}: API schema`,
    description: description || `The fields of ${name}.`,
  });
}

export default async function SchemaPage(props: Props) {
  const schema = await findSchema(props);
  if (!schema) notFound();
  return <ApiSchemaView schema={schema} />;
}
