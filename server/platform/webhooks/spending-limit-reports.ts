import type { Runtime } from '../../core/runtime';
import { emitSpendingLimit, type ReportedLimit } from './store';

/** A refused caller that repeats its call must not cost a statement each time. */
const QUIET_MS = 60_000;
const MAX_REPORTED = 10_000;

/** Reports limits that refuse calls, by webhook and email, once for each period and limit. */
export class SpendingLimitReports {
  readonly #runtime: Pick<Runtime, 'sql' | 'log'>;
  readonly #reportedAt = new Map<string, number>();

  constructor(runtime: Pick<Runtime, 'sql' | 'log'>) {
    this.#runtime = runtime;
  }

  /**
   * Reports a refused call. Does not wait, never throws: the next refused call after a failure
   * reports it.
   * @param limit of a member by a key of theirs
   */
  report(limit: ReportedLimit): void {
    const { sql, log } = this.#runtime;
    const now = performance.now();
    const name = Object.values(limit).join(' ');
    if (now - (this.#reportedAt.get(name) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    if (this.#reportedAt.size >= MAX_REPORTED) this.#reportedAt.clear();
    this.#reportedAt.set(name, now);
    emitSpendingLimit(sql, limit).catch((error) => {
      this.#reportedAt.delete(name);
      log.warn('webhook.emit_failed', { ...limit, error });
    });
  }
}
