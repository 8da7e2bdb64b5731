import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ReviewsPanel } from '@/components/reviews/reviews-panel';
import { ReviewsSkeleton } from '@/components/reviews/reviews-skeleton';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { buildPath } from '../build-path';

export const metadata: Metadata = { title: 'Reviews' };

/**
 * Signing in redirects back with the tool to rate in the query. The loading boundary is inside the
 * page: one around it would stream instead of redirecting, and a layout cannot read the query.
 */
export default async function ReviewsPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  await requireViewer(buildPath('/dashboard/reviews', params));
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
