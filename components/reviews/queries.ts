'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnReviews, ReviewableTool, ReviewedTool } from '@/server/catalog/reviews/schema';
import { trpc } from '../shared/trpc-provider';

const KEY = ['reviews'] as const;

export function useOwnReviews(initialData: OwnReviews) {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => trpc.reviews.own.query({}, { signal }),
    initialData,
  });
}

export interface ReviewDraft {
  tool: ReviewableTool;
  rating: number;
  review: string;
}

/** Optimistic saving and deleting of reviews, rolled back on errors. */
export function useReviewActs() {
  const queries = useQueryClient();

  /** Updates the cache optimistically; returns the state before. */
  async function show(change: (own: OwnReviews) => OwnReviews): Promise<{ before: OwnReviews | undefined }> {
    await queries.cancelQueries({ queryKey: KEY });
    const before = queries.getQueryData<OwnReviews>(KEY);
    if (before) queries.setQueryData(KEY, change(before));
    return { before };
  }
  const settle = {
    mutationKey: KEY,
    // Run mutations in order: a review deleted while it is being posted must not reappear.
    scope: { id: 'reviews' },
    onError: (_error: Error, _input: unknown, shown: { before: OwnReviews | undefined } | undefined) => {
      if (shown?.before) queries.setQueryData(KEY, shown.before);
    },
    // Do not refetch while another mutation is in flight: the response would be stale.
    onSettled: () =>
      queries.isMutating({ mutationKey: KEY }) > 1 ? undefined : queries.invalidateQueries({ queryKey: KEY }),
  };

  const save = useMutation({
    mutationFn: ({ tool, rating, review }: ReviewDraft) =>
      trpc.reviews.post.mutate({ tool: tool.tool, rating, review: review || undefined }),
    onMutate: (draft) => show((own) => withReview(own, draft)),
    ...settle,
  });
  const remove = useMutation({
    mutationFn: (tool: ReviewedTool) => trpc.reviews.remove.mutate({ tool: tool.tool }),
    onMutate: (tool) => show((own) => withoutReview(own, tool)),
    ...settle,
  });
  return { save, remove };
}

function withReview(own: OwnReviews, { tool, rating, review }: ReviewDraft): OwnReviews {
  const old = own.reviewed.find((known) => known.tool === tool.tool);
  const now = new Date().toISOString();
  const saved: ReviewedTool = {
    ...tool,
    available: old?.available ?? true,
    review: {
      id: old?.review.id ?? '',
      tool: tool.tool,
      rating,
      review: review || null,
      verified: tool.verified,
      created_at: old?.review.created_at ?? now,
      updated_at: now,
    },
  };
  return {
    ...own,
    to_rate: own.to_rate.filter((known) => known.tool !== tool.tool),
    reviewed: old ? own.reviewed.map((known) => (known === old ? saved : known)) : [saved, ...own.reviewed],
  };
}

function withoutReview(own: OwnReviews, { review: _review, available, ...tool }: ReviewedTool): OwnReviews {
  return {
    ...own,
    to_rate: available && tool.calls > 0 ? [tool, ...own.to_rate] : own.to_rate,
    reviewed: own.reviewed.filter((known) => known.tool !== tool.tool),
  };
}
