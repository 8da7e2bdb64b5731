import type { Runtime } from '../../../core/runtime';
import { type BackgroundJobRow, listBackgroundJobs } from '../../../platform/background/store';
import { isOverdue } from '../alerts/find-problems';
import { getJobLabel, JOB_LABELS, listOffJobs } from './job-labels';
import type { BackgroundJob, BackgroundJobs } from './schema';

/** Every background job: its last run, result and next run. Those that never ran are included. */
export async function listBackground({
  db,
  settings,
}: Pick<Runtime, 'db' | 'settings'>): Promise<BackgroundJobs> {
  const rows = new Map((await listBackgroundJobs(db)).map((row) => [row.name, row]));
  const off = listOffJobs(settings);
  const names = [...new Set([...Object.keys(JOB_LABELS), ...rows.keys()])];
  return { jobs: names.map((name) => describe(name, rows.get(name), off.has(name))) };
}

function describe(name: string, row: BackgroundJobRow | undefined, off: boolean): BackgroundJob {
  return {
    name,
    label: getJobLabel(name),
    every_seconds: row?.everySeconds ?? null,
    state: off ? 'off' : getState(row),
    error: row?.error ?? null,
    failing_at: row?.failingAt?.toISOString() ?? null,
    last_at: row?.startedAt?.toISOString() ?? null,
    duration_ms: row?.durationMs ?? null,
    next_at: off ? null : (row?.nextAt?.toISOString() ?? null),
  };
}

function getState(row: BackgroundJobRow | undefined): BackgroundJob['state'] {
  if (!row) return 'never';
  if (row.ok === false) return 'failed';
  if (isOverdue(row, Date.now())) return 'overdue';
  return row.startedAt === null ? 'never' : 'ok';
}
