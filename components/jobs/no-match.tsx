import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { ListChecks } from '../ui/icons';

/** Shown when no job matches the filters. */
export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<ListChecks />}
      title="No jobs match these filters"
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      Jobs are kept for a week after they end.
    </EmptyState>
  );
}
