import { MAX_FILTER_LENGTH } from '@/server/calls/jobs/limits';
import type { OwnJobsInput } from '@/server/calls/jobs/schema';

type Status = NonNullable<OwnJobsInput['status']>;

export interface JobFilters {
  status: Status | null;
  tool: string | null;
  key: string | null;
}

export const STATUS_OPTIONS: readonly { value: Status; label: string }[] = [
  { value: 'running', label: 'Running' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** Page size of the job list. */
export const JOBS_PAGE = 25;

/** Reads the filters from a URL and drops invalid values. */
export function readJobFilters(get: (name: string) => string | null): JobFilters {
  const status = get('status');
  return {
    status: STATUS_OPTIONS.find(({ value }) => value === status)?.value ?? null,
    tool: get('tool')?.slice(0, MAX_FILTER_LENGTH) || null,
    key: get('key')?.slice(0, MAX_FILTER_LENGTH) || null,
  };
}

/** The input of the list procedure. */
export function jobsInput({ status, tool, key }: JobFilters): OwnJobsInput {
  return { status: status ?? undefined, tool: tool ?? undefined, key_id: key ?? undefined, limit: JOBS_PAGE };
}

/** Number of running jobs shown on the overview. */
export const RUNNING_SHOWN = 5;
