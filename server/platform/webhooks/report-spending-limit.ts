import type { Runtime } from '../../core/runtime';
import { emitSpendingLimit } from './store';

/** A refused caller that repeats its call must not cost a statement each time. */
const QUIET_MS = 60_000;
const MAX_ACCOUNTS = 10_000;
const reported = new Map<string, number>();

/**
 * Emits spending_limit.reached after a refused call, once a month and limit. Does not wait, never
 * throws: the next refused call after a failure reports it.
 */
export function reportSpendingLimit({ sql, log }: Pick<Runtime, 'sql' | 'log'>, accountId: string): void {
  const now = performance.now();
  if (now - (reported.get(accountId) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
  if (reported.size >= MAX_ACCOUNTS) reported.clear();
  reported.set(accountId, now);
  emitSpendingLimit(sql, accountId).catch((error) => {
    reported.delete(accountId);
    log.warn('webhook.emit_failed', { accountId, error });
  });
}
