import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ReviewsPanel } from '@/components/reviews/reviews-panel';
import { ReviewsSkeleton } from '@/components/reviews/reviews-skeleton';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { addressOf } from '../address-of';

export const metadata: Metadata = { title: 'Reviews' };

/**
 * Whoever comes from the page of a tool to rate it signs in and comes back to rate it: the way back has the tool in it.
 * A layout would not know of it, and a loading boundary would turn the redirect into a page; so the boundary is in here.
 */
export default async function ReviewsPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  await requireViewer(addressOf('/dashboard/reviews', params));
  return (
    <Suspense fallback={<ReviewsSkeleton />}>
      <Reviews tool={firstValue(params.tool).slice(0, 64)} />
    </Suspense>
  );
}

async function Reviews({ tool }: { tool: string }) {
  const api = await createCaller();
  return <ReviewsPanel initial={await api.reviews.own({ tool })} />;
}
