'use client';

import { Button } from './button';

interface LoadMoreProps {
  /** False on the last page. */
  hasMore: boolean;
  loading: boolean;
  onLoadMore: () => void;
  /** Number of rows shown: "50 calls". */
  shown?: string;
  /** The error of the last page request: the button then retries. */
  error?: string | null;
}

/** Cursor paging. */
export function LoadMore({ hasMore, loading, onLoadMore, shown, error }: LoadMoreProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t px-4 py-3 text-sm sm:px-5">
      <p role="status" className={error ? 'text-danger' : 'text-muted'}>
        {error ?? [shown, hasMore ? null : 'all shown'].filter(Boolean).join(', ')}
      </p>
      {hasMore && (
        <Button size="sm" busy={loading} onClick={onLoadMore}>
          {error ? 'Try again' : 'Load more'}
        </Button>
      )}
    </div>
  );
}
