import type { EventRow } from '@/server/operations/operator/schema';

export const EVENT_STATES: readonly { value: EventRow['state']; label: string }[] = [
  { value: 'failed', label: 'Failed' },
  { value: 'received', label: 'Processing' },
  { value: 'processed', label: 'Processed' },
];

export function readEventState(text: string | null): EventRow['state'] | null {
  return EVENT_STATES.find(({ value }) => value === text)?.value ?? null;
}
