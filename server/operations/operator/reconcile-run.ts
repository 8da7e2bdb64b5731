import { toIso, toIsoOrNull } from './operator';
import type { RunRow } from './reconcile-store';
import type { ReconcileRun } from './schema';

/**
 * A run silent for longer has died with its process; one rule can take minutes on a large database.
 */
export const ALIVE_SECONDS = 600;
/** How many differences of a run are stored; the first ones show what is wrong. */
export const MAX_STORED_DIFFERENCES = 200;

/** A reconcile run as the operator sees it. */
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
    created_at: toIso(row.createdAt),
    finished_at: toIsoOrNull(row.finishedAt),
  };
}
