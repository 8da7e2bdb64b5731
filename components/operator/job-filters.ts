import type { OperatorJobsInput } from '@/server/operations/operator/schema';
import { readTimeSort } from './time-sort';

type Status = NonNullable<OperatorJobsInput['status']>;

export const JOB_STATUSES: readonly { value: Status; label: string }[] = [
  { value: 'running', label: 'Running' },
  { value: 'queued', label: 'Waiting' },
  { value: 'stuck', label: 'Stuck' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
];

export const JOB_AGES = [
  { value: '5', label: 'Over 5 minutes' },
  { value: '60', label: 'Over an hour' },
  { value: '1440', label: 'Over a day' },
] as const;

/** Reads the filters and the order from a URL and drops invalid values. */
export function readOperatorJobFilters(get: (name: string) => string | null): OperatorJobsInput {
  const status = get('status');
  const age = JOB_AGES.find(({ value }) => value === get('age'))?.value;
  return {
    status: JOB_STATUSES.find(({ value }) => value === status)?.value,
    tool: get('tool')?.slice(0, 100) || undefined,
    account_id: get('account')?.trim().slice(0, 100) || undefined,
    older_minutes: age === undefined ? undefined : Number(age),
    sort: readTimeSort(get),
  };
}
