import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { comparePayments, type PaymentDifference } from './compare-payments';
import {
  countReconciled,
  type DifferenceRow,
  findDifferences,
  lockUsageMonths,
  RECONCILE_CHECKS,
  type ReconcileCheck,
} from './reconcile-store';

/** Maximum differences reported per check: the first few show what is wrong. */
export const MAX_DIFFERENCES_PER_CHECK = 100;

/** An inconsistency in the books: the violated check, its subject and both values. */
export interface Difference extends DifferenceRow {
  check: ReconcileCheck | PaymentDifference['check'];
}

/** What was compared, and every difference found. */
export interface Reconciliation {
  checks: number;
  counted: Awaited<ReturnType<typeof countReconciled>>;
  differences: Difference[];
  /**
   * Payments compared with the provider's objects; null if it was not queried or did not respond.
   */
  provider: number | null;
}

/**
 * Proves that balances, holds, slots, ledger, usage, roll-ups and payments agree. Safe while the
 * gateway runs: everything is read from one snapshot, in which no group commit is half visible.
 * Then compares payments with the provider's objects. Changes nothing.
 * @param withProvider false skips the provider
 * @param onCheck called after each check
 */
export async function reconcile(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  withProvider = false,
  onCheck: (done: number, of: number) => void = () => undefined,
): Promise<Reconciliation> {
  const books = await checkBooks(runtime, onCheck);
  if (!withProvider || !runtime.ports.payments) return { provider: null, ...books };
  try {
    const { compared, differences } = await comparePayments(runtime);
    return { ...books, provider: compared, differences: [...books.differences, ...differences] };
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    runtime.log.error('reconcile.provider_unavailable', { error });
    return { provider: null, ...books };
  }
}

async function checkBooks(
  runtime: Pick<Runtime, 'db'>,
  onCheck: (done: number, of: number) => void,
): Promise<Omit<Reconciliation, 'provider'>> {
  const checks = Object.keys(RECONCILE_CHECKS) as ReconcileCheck[];
  return await runtime.db.transaction(
    async (tx) => {
      await lockUsageMonths(tx);
      const differences: Difference[] = [];
      for (const [at, check] of checks.entries()) {
        const rows = await findDifferences(tx, check, MAX_DIFFERENCES_PER_CHECK);
        differences.push(...rows.map((row) => ({ check, ...row })));
        onCheck(at + 1, checks.length);
      }
      return { checks: checks.length, counted: await countReconciled(tx), differences };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
