'use client';

import { useId, useRef, useState } from 'react';
import type { PublicReview, ReviewSort, ToolReviews } from '@/server/catalog/reviews/schema';
import { ReviewItem } from '../shared/review-item';
import { Label } from '../ui/field';
import { LoadMore } from '../ui/load-more';
import { Select } from '../ui/select';

const SORTS: readonly { value: ReviewSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'highest', label: 'Highest first' },
  { value: 'lowest', label: 'Lowest first' },
];

interface ReviewPagesProps {
  tool: string;
  /** The server-rendered first page, newest first. */
  initial: ToolReviews;
}

/** The reviews of a tool in the chosen order, with paging. */
export function ReviewPages({ tool, initial }: ReviewPagesProps) {
  const id = useId();
  const [sort, setSort] = useState<ReviewSort>('newest');
  const [reviews, setReviews] = useState<PublicReview[]>(initial.reviews);
  const [cursor, setCursor] = useState(initial.next_cursor);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [wanted, setWanted] = useState<ReviewSort | null>(null);
  const asked = useRef(0);

  async function load(order: ReviewSort, after: string | null) {
    // If the order changes again before a response arrives, drop the earlier response.
    const question = ++asked.current;
    const isLast = () => question === asked.current;
    setBusy(true);
    setWanted(order);
    setProblem(null);
    try {
      // Loaded on demand: most readers never load more.
      const { trpc } = await import('../shared/trpc-provider');
      const page = await trpc.reviews.ofTool.query({ tool, sort: order, cursor: after ?? undefined });
      if (!isLast()) return;
      setReviews(after === null ? page.reviews : [...reviews, ...page.reviews]);
      setCursor(page.next_cursor);
      setSort(order);
    } catch {
      if (isLast()) setProblem('The reviews could not be loaded. Try again.');
    } finally {
      if (isLast()) {
        setBusy(false);
        setWanted(null);
      }
    }
  }

  return (
    <div>
      {initial.total > 1 && (
        <div className="flex items-center gap-2 pb-3">
          <Label htmlFor={id} className="font-normal text-muted">
            Sort by{' '}
          </Label>
          <Select
            id={id}
            value={wanted ?? sort}
            className="w-40"
            onChange={(event) => load(event.target.value as ReviewSort, null)}
          >
            {SORTS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </div>
      )}
      <ul className="flex flex-col divide-y border-t" aria-busy={busy}>
        {reviews.map((review, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: reviews have no public id, and the list only grows at the end
          <ReviewItem key={`${sort} ${index}`} review={review} />
        ))}
      </ul>
      {(cursor !== null || problem) && (
        <LoadMore
          hasMore
          loading={busy}
          onLoadMore={() => !busy && load(sort, cursor)}
          shown={`${reviews.length} of ${initial.total} reviews`}
          error={problem}
        />
      )}
    </div>
  );
}
