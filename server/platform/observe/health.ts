import journal from '@/db/migrations/meta/_journal.json';
import { boolean, defineRow, integer } from '@/db/rows';
import type { Runtime } from '../../core/runtime';
import type { WebProcessGroup } from '../../kit/web-process-group';
import { withTimeout } from '../../kit/with-timeout';

const CACHE_MS = 1_000;
const CHECK_MS = 2_000;

const tableRow = defineRow({ there: boolean() });
const countRow = defineRow({ applied: integer() });

/** A reason why this process, or the group it belongs to, should receive no requests. */
export type FailedCheck = 'stopping' | 'starting' | 'migrations' | 'database' | 'listener';

/** Whether this process is ready. The result is cached for a second, so that probes cost little. */
export class Health {
  readonly #parts: Pick<Runtime, 'sql' | 'notices' | 'running'>;
  readonly #group: WebProcessGroup | undefined;
  #leaving = false;
  #migrated = false;
  #checking: Promise<FailedCheck[]> | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Pick<Runtime, 'sql' | 'notices' | 'running'>, group?: WebProcessGroup) {
    this.#parts = parts;
    this.#group = group;
  }

  /** Makes the process not ready from now on, although it still answers requests. */
  markStopping(): void {
    this.#leaving = true;
  }

  get stopping(): boolean {
    return this.#leaving || this.#parts.running.stopping;
  }

  /**
   * The checks that fail for requests to the port. Several web processes behind it are ready once
   * all have started, and from then on while one is. Never throws.
   */
  async failedChecksOfGroup(): Promise<readonly FailedCheck[]> {
    const group = this.#group;
    if (!group) return await this.failedChecks();
    if (group.state !== 'ready') return [group.state];
    const failed = await this.failedChecks();
    if (failed.length === 0) return failed;
    return (await group.isAnotherReady().catch(() => false)) ? [] : failed;
  }

  /** The checks that fail; empty if this process is ready. Never throws. */
  async failedChecks(): Promise<readonly FailedCheck[]> {
    if (this.stopping) return ['stopping'];
    if (!this.#checking || performance.now() - this.#checkedAt > CACHE_MS) {
      this.#checkedAt = Number.POSITIVE_INFINITY;
      this.#checking = this.#check().finally(() => {
        this.#checkedAt = performance.now();
      });
    }
    const failed = await this.#checking;
    return this.stopping ? ['stopping'] : failed;
  }

  async #check(): Promise<FailedCheck[]> {
    const { notices } = this.#parts;
    // Both use the pool: a process without a free connection is not ready either.
    const database = await check(this.#isMigrated());
    if (database !== 'yes') return [database === 'no' ? 'migrations' : 'database'];
    const heard = await check(notices.receivesOwnNotice(CHECK_MS).then((hears) => (hears ? 'yes' : 'no')));
    return heard === 'yes' ? [] : ['listener'];
  }

  async #isMigrated(): Promise<'yes' | 'no'> {
    const { sql } = this.#parts;
    if (this.#migrated) {
      await sql`select 1`;
      return 'yes';
    }
    const [found] = await tableRow.read(
      sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
    );
    if (!found?.there) return 'no';
    // A newer version may have applied more migrations.
    const known = journal.entries.map(({ when }) => when);
    const [row] = await countRow.read(
      sql`select count(*)::int as applied from drizzle.__drizzle_migrations where created_at = any(${known}::bigint[])`,
    );
    this.#migrated = row?.applied === known.length;
    return this.#migrated ? 'yes' : 'no';
  }
}

function check<T>(work: Promise<T>): Promise<T | 'failed'> {
  return withTimeout(work, CHECK_MS).catch(() => 'failed' as const);
}
