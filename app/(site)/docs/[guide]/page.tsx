import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { GuideView } from '@/components/docs/guide-view';
import { createCaller } from '@/server/api/trpc/caller';
import { publicPage } from '../../../public-page';

interface Props {
  params: Promise<{ guide: string }>;
}

/** Cached per request, because the page and its metadata both read it. */
const findGuide = cache(async (name: string) => {
  // The procedure rejects names this long as invalid input; here they are just unknown.
  if (name.length > 64) return null;
  const api = await createCaller();
  return await api.guides.find({ name });
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const guide = await findGuide((await params).guide);
  if (!guide) return { title: 'Not found' };
  const page = publicPage({ path: guide.href, title: guide.title, description: guide.summary });
  return {
    ...page,
    alternates: { ...page.alternates, types: { 'text/markdown': `${guide.href}.md` } },
  };
}

export default async function GuidePage({ params }: Props) {
  const guide = await findGuide((await params).guide);
  if (!guide) notFound();
  return <GuideView guide={guide} />;
}
