import { Badge } from '../ui/badge';
import { Check, Clock, X } from '../ui/icons';
import type { DeliveryState as State } from './queries';

const STATE = {
  pending: { tone: 'neutral', word: 'Pending', icon: Clock },
  delivered: { tone: 'success', word: 'Delivered', icon: Check },
  failed: { tone: 'danger', word: 'Failed', icon: X },
} as const satisfies Record<State, unknown>;

export function DeliveryState({ state }: { state: State }) {
  const { tone, word, icon: Icon } = STATE[state];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden strokeWidth={2.5} />
      {word}
    </Badge>
  );
}
