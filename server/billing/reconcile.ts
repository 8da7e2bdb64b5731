import type { Runtime } from '../runtime';
import {
  countReconciled,
  type DifferenceRow,
  findDifferences,
  keepMonths,
  RECONCILE_CHECKS,
  type ReconcileCheck,
} from './reconcile-store';

/** The most differences told of one check: the first few say what is wrong. */
export const MAX_DIFFERENCES_PER_CHECK = 100;

/** One place where the books disagree: which rule, about what, and the two values. */
export interface Difference extends DifferenceRow {
  check: ReconcileCheck;
}

/** What was compared, and every disagreement found. */
export interface Reconciliation {
  checks: number;
  counted: Awaited<ReturnType<typeof countReconciled>>;
  differences: Difference[];
}

/**
 * Proves that balances, holds, slots, ledger, usage and roll-ups agree, also beside a working gateway: all of it is
 * read from one snapshot, in which no group commit is half visible. Changes nothing.
 */
export async function reconcile(runtime: Runtime): Promise<Reconciliation> {
  const checks = Object.keys(RECONCILE_CHECKS) as ReconcileCheck[];
  return await runtime.db.transaction(
    async (tx) => {
      await keepMonths(tx);
      const differences: Difference[] = [];
      for (const check of checks) {
        const rows = await findDifferences(tx, check, MAX_DIFFERENCES_PER_CHECK);
        differences.push(...rows.map((row) => ({ check, ...row })));
      }
      return { checks: checks.length, counted: await countReconciled(tx), differences };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
