'use client';

import { Button } from './button';

interface LoadMoreProps {
  /** Null or undefined where nothing is left. */
  hasMore: boolean;
  loading: boolean;
  onLoadMore: () => void;
  /** How many are shown: "50 calls". */
  shown?: string;
  /** Set when the last page failed: the button becomes the retry. */
  error?: string | null;
}

/** Paging by cursor. */
export function LoadMore({ hasMore, loading, onLoadMore, shown, error }: LoadMoreProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t px-4 py-3 text-sm sm:px-5">
      <p role="status" className={error ? 'text-danger' : 'text-muted'}>
        {error ?? [shown, hasMore ? null : 'that is all'].filter(Boolean).join(', ')}
      </p>
      {hasMore && (
        <Button size="sm" busy={loading} onClick={onLoadMore}>
          {error ? 'Try again' : 'Load more'}
        </Button>
      )}
    </div>
  );
}
