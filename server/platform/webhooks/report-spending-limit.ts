import type { Runtime } from '../../core/runtime';
import { emitSpendingLimit } from './store';

/** A refused caller that repeats its call must not cost a statement each time. */
const QUIET_MS = 60_000;
const MAX_REPORTED = 10_000;
const reported = new Map<string, number>();

/**
 * Emits spending_limit.reached after a refused call, once for each period and limit. Does not wait,
 * never throws: the next refused call after a failure reports it.
 * @param of whose limit it is: the monthly one of an account, or that of a key
 */
export function reportSpendingLimit(
  { sql, log }: Pick<Runtime, 'sql' | 'log'>,
  of: 'account' | 'key',
  id: string,
): void {
  const now = performance.now();
  if (now - (reported.get(id) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
  if (reported.size >= MAX_REPORTED) reported.clear();
  reported.set(id, now);
  emitSpendingLimit(sql, of, id).catch((error) => {
    reported.delete(id);
    log.warn('webhook.emit_failed', { [`${of}Id`]: id, error });
  });
}
