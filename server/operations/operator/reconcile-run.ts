import { isoOf, isoOrNull } from './operator';
import type { RunRow } from './reconcile-store';
import type { ReconcileRun } from './schema';

/** A run that says nothing for so long has died with its process. One rule of a large database may take a while. */
export const ALIVE_SECONDS = 600;
/** Differences kept of a run: the first say what is wrong. */
export const MAX_KEPT = 200;

/** A run of reconcile as the operator sees it. */
export function describeRun(row: RunRow, now = Date.now()): ReconcileRun {
  const silent = row.status === 'running' && row.aliveAt.getTime() < now - ALIVE_SECONDS * 1000;
  return {
    id: row.id,
    by: row.createdBy,
    status: silent ? 'interrupted' : row.status,
    asked_provider: row.askedProvider,
    provider_payments: row.providerPayments,
    checks_done: row.checksDone,
    checks: row.checks,
    counted: row.counted,
    difference_count: row.differenceCount,
    differences: row.differences,
    problem: row.problem,
    created_at: isoOf(row.createdAt),
    finished_at: isoOrNull(row.finishedAt),
  };
}
