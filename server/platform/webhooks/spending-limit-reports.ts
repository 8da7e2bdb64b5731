import type { Runtime } from '../../core/runtime';
import { emitSpendingLimit } from './store';

/** A refused caller that repeats its call must not cost a statement each time. */
const QUIET_MS = 60_000;
const MAX_REPORTED = 10_000;

/** Emits spending_limit.reached after refused calls, once for each period and limit. */
export class SpendingLimitReports {
  readonly #runtime: Pick<Runtime, 'sql' | 'log'>;
  readonly #reportedAt = new Map<string, number>();

  constructor(runtime: Pick<Runtime, 'sql' | 'log'>) {
    this.#runtime = runtime;
  }

  /**
   * Reports a refused call. Does not wait, never throws: the next refused call after a failure
   * reports it.
   * @param of whose limit it is: the monthly one of an account, or that of a key
   */
  report(of: 'account' | 'key', id: string): void {
    const { sql, log } = this.#runtime;
    const now = performance.now();
    if (now - (this.#reportedAt.get(id) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    if (this.#reportedAt.size >= MAX_REPORTED) this.#reportedAt.clear();
    this.#reportedAt.set(id, now);
    emitSpendingLimit(sql, of, id).catch((error) => {
      this.#reportedAt.delete(id);
      log.warn('webhook.emit_failed', { [`${of}Id`]: id, error });
    });
  }
}
