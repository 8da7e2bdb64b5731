import { Check, LoaderCircle, X } from 'lucide-react';
import type { UsageRecord } from '@/server/usage/schema';
import { Badge } from '../ui/badge';

const STATUS = {
  success: { tone: 'success', word: 'Succeeded', icon: Check },
  error: { tone: 'danger', word: 'Failed', icon: X },
  pending: { tone: 'neutral', word: 'Running', icon: LoaderCircle },
} as const satisfies Record<UsageRecord['status'], unknown>;

export function CallStatus({ status }: { status: UsageRecord['status'] }) {
  const { tone, word, icon: Icon } = STATUS[status];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden strokeWidth={2.5} />
      {word}
    </Badge>
  );
}
