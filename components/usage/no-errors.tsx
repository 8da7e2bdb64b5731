import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { CircleCheck } from '../ui/icons';
import type { Wider } from './none-fit';

/** In place of the figures, if no call failed. */
export function NoErrors({ wider }: { wider: Wider | undefined }) {
  return (
    <EmptyState
      icon={<CircleCheck />}
      title={
        wider?.by === 'filters' ? 'No failed calls match these filters' : 'No failed calls in this period'
      }
      action={
        wider && (
          <Button onClick={wider.widen}>{wider.by === 'filters' ? 'Clear filters' : 'Show all time'}</Button>
        )
      }
    >
      A call that was refused before it ran is under Refused.
    </EmptyState>
  );
}
