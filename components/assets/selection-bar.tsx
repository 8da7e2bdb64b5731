'use client';

import { Button } from '../ui/button';
import { Trash2, X } from '../ui/icons';

interface SelectionBarProps {
  count: number;
  /** Number of files shown. */
  all: number;
  onAll: () => void;
  onClear: () => void;
  onDelete: () => void;
}

/** Actions on the selected files. It overlays the list, so that nothing shifts when it appears. */
export function SelectionBar({ count, all, onAll, onClear, onDelete }: SelectionBarProps) {
  return (
    <section
      aria-label="Selection"
      className="sticky bottom-20 z-10 mx-auto flex w-full max-w-xl animate-pop-in flex-wrap items-center gap-1 rounded-lg border bg-raised px-4 sm:gap-2 py-2.5 shadow-pop lg:bottom-6"
    >
      <p role="status" className="mr-auto font-medium text-sm">
        {count} selected
      </p>
      {count < all && (
        <Button size="sm" variant="ghost" onClick={onAll}>
          Select all {all}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={onClear}>
        <X aria-hidden className="max-sm:hidden" />
        Clear
      </Button>
      <Button size="sm" variant="danger" onClick={onDelete}>
        <Trash2 aria-hidden />
        Delete
      </Button>
    </section>
  );
}
