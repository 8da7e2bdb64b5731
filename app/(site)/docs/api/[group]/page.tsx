import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ApiGroupView } from '@/components/docs/api-group';
import { createCaller } from '@/server/api/trpc/caller';
import { publicPage } from '../../../../public-page';

interface Props {
  params: Promise<{ group: string }>;
}

async function findGroups({ params }: Props) {
  const { group } = await params;
  const { groups } = await (await createCaller()).guides.api();
  const at = groups.findIndex(({ slug }) => slug === group);
  return { group: groups[at], previous: groups[at - 1], next: groups[at + 1] };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { group } = await findGroups(props);
  if (!group) return { title: 'Not found' };
  return publicPage({
    path: group.href,
    title: `${group.name}: API reference`,
    description: group.description,
  });
}

export default async function ApiGroupPage(props: Props) {
  const { group, previous, next } = await findGroups(props);
  if (!group) notFound();
  return <ApiGroupView group={group} previous={toLink(previous)} next={toLink(next)} />;
}

function toLink(group: { name: string; href: string } | undefined) {
  return group ? { title: group.name, href: group.href } : null;
}
