import type { UsageRecord } from '@/server/usage/schema';
import { Badge } from '../ui/badge';
import { Check, LoaderCircle, X } from '../ui/icons';

const STATUS = {
  success: { tone: 'success', word: 'Succeeded', icon: Check },
  error: { tone: 'danger', word: 'Failed', icon: X },
  pending: { tone: 'neutral', word: 'Running', icon: LoaderCircle },
} as const satisfies Record<UsageRecord['status'], unknown>;

interface CallStatusProps {
  status: UsageRecord['status'];
  /** The error code of a failed call, where a list has room for it. */
  code?: string | null;
}

/** Whether a call succeeded, and in a list the code with which it failed. */
export function CallStatus({ status, code }: CallStatusProps) {
  const { tone, word, icon: Icon } = STATUS[status];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden strokeWidth={2.5} />
      {code ? <span className="font-mono">{code}</span> : word}
    </Badge>
  );
}
