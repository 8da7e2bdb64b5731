import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { CompareView } from '@/components/site/compare-view';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';
import { publicPage } from '../../../public-page';

interface Props {
  params: Promise<{ peer: string }>;
}

/** Cached per request, because the page and its metadata both read it. */
const findComparison = cache(async (slug: string) => {
  // The procedure rejects names this long as invalid input; here they are just unknown.
  if (slug.length > 64) return null;
  const api = await createCaller();
  return await api.guides.comparison({ slug });
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const comparison = await findComparison((await params).peer);
  if (!comparison) return { title: 'Not found' };
  return publicPage({
    path: comparison.href,
    title: { absolute: `${getRuntime().settings.brand.name} and ${comparison.name}` },
    description: `Prices, limits, keys, retries and hosting: this gateway next to ${comparison.name}, with sources.`,
  });
}

export default async function ComparisonPage({ params }: Props) {
  const comparison = await findComparison((await params).peer);
  if (!comparison) notFound();
  return <CompareView gateway={getRuntime().settings.brand.name} comparison={comparison} />;
}
