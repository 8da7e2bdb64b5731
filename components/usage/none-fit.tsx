'use client';

import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { SearchX } from '../ui/icons';

/** How an empty list offers more calls. */
export interface Wider {
  by: 'filters' | 'period';
  widen: () => void;
}

/** The empty list of an account that has calls. */
export function NoneFit({ by, widen }: Wider) {
  if (by === 'period')
    return (
      <EmptyState
        icon={<SearchX />}
        title="No calls in this period"
        action={<Button onClick={widen}>Show all time</Button>}
      />
    );
  return (
    <EmptyState
      icon={<SearchX />}
      title="No calls match these filters"
      action={<Button onClick={widen}>Clear filters</Button>}
    >
      Try another period, key, tool, status, id or error code. A call that was refused before it ran is under
      Refused.
    </EmptyState>
  );
}
