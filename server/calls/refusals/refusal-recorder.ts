import type { Sql } from '@/db/client';
import { DelayedWork } from '../../kit/delayed-work';
import { newId } from '../../kit/ids';
import type { Logger } from '../../kit/log';
import { WarnLimit } from '../../kit/warn-limit';
import { MAX_COMBINATIONS, MAX_DESCRIBED_PER_MINUTE, MAX_ROWS_PER_MINUTE, MAX_WAITING } from './limits';
import { type CountedRefusals, type DescribedRefusal, insertRefusals } from './store';

const MINUTE_MS = 60_000;
/** Until then, refusals share a statement. */
const DELAY_MS = 1_000;
/** After a statement that failed. */
const RETRY_MS = 5_000;
/** Rows of one statement. */
const BATCH = 500;
/** The interval between two warnings about a failed write. */
const WARN_MS = 60_000;

/** A call that was refused before its admission. */
export interface Refusal extends Omit<CountedRefusals, 'minuteMs' | 'refused' | 'lastAtMs'> {
  atMs: number;
  /** Called only if the refusal is described, not only counted. */
  describe: () => Pick<DescribedRefusal, 'requestId' | 'clientAddress' | 'tool' | 'skill' | 'message'>;
}

interface Deps {
  sql: Sql;
  log: Logger;
  /** Counts refusals that are not recorded. */
  onLost: (count: number) => void;
}

/** What a process has recorded of an account in the current minute. */
interface AccountMinute {
  combinations: Set<string>;
  described: number;
}

/**
 * Counts refused calls in memory and writes them about once a second. Bounded per account and in
 * total, so that a flood of refused calls costs few rows. Callers never wait for it.
 */
export class RefusalRecorder {
  readonly #deps: Deps;
  #minute = 0;
  #rows = 0;
  #accounts = new Map<string, AccountMinute>();
  #counts = new Map<string, CountedRefusals>();
  #described: DescribedRefusal[] = [];
  readonly #writing = new DelayedWork(() => this.#writeAll());
  readonly #warnings = new WarnLimit(WARN_MS);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Takes a refusal. Returns at once and never throws. */
  record(refusal: Refusal): void {
    const minute = Math.floor(refusal.atMs / MINUTE_MS) * MINUTE_MS;
    if (minute > this.#minute) {
      this.#minute = minute;
      this.#rows = 0;
      this.#accounts.clear();
    }
    const account = this.#accounts.get(refusal.accountId) ?? { combinations: new Set(), described: 0 };
    if (!this.#count(refusal, account, minute)) {
      this.#deps.onLost(1);
      return;
    }
    // Only with a row, so that the rows bound the accounts too.
    this.#accounts.set(refusal.accountId, account);
    if (account.described < MAX_DESCRIBED_PER_MINUTE && this.#described.length < MAX_WAITING) {
      account.described++;
      const { accountId, keyId, code, atMs } = refusal;
      const id = newId('refusal', atMs);
      this.#described.push({ accountId, id, keyId, code, atMs, ...refusal.describe() });
    }
    this.#writing.schedule(DELAY_MS);
  }

  /** Writes what waits now. Never rejects. */
  flush(): Promise<void> {
    return this.#writing.run();
  }

  /** Writes what waits, and stops. */
  close(): Promise<void> {
    return this.#writing.close();
  }

  /** @returns false if it exceeds the bounds of this process */
  #count(refusal: Refusal, account: AccountMinute, minuteMs: number): boolean {
    const { accountId, code, rulesVersion, atMs, retryAtMs } = refusal;
    let { keyId, limitName, tool } = refusal;
    let combination = [keyId, code, limitName, tool].join(' ');
    if (!account.combinations.has(combination)) {
      // Beyond the bound only the code counts: there are few.
      if (account.combinations.size >= MAX_COMBINATIONS) {
        keyId = limitName = tool = '';
        combination = code;
      }
      if (!account.combinations.has(combination)) {
        if (this.#rows >= MAX_ROWS_PER_MINUTE) return false;
        this.#rows++;
        account.combinations.add(combination);
      }
    }
    return this.#add({
      ...{ accountId, minuteMs, keyId, code, limitName, tool, refused: 1 },
      ...{ lastAtMs: atMs, retryAtMs, rulesVersion },
    });
  }

  #add(row: CountedRefusals): boolean {
    const { accountId, minuteMs, keyId, code, limitName, tool } = row;
    const name = [accountId, minuteMs, keyId, code, limitName, tool].join(' ');
    const waiting = this.#counts.get(name);
    if (!waiting) {
      if (this.#counts.size >= MAX_WAITING) return false;
      this.#counts.set(name, row);
      return true;
    }
    waiting.refused += row.refused;
    waiting.lastAtMs = Math.max(waiting.lastAtMs, row.lastAtMs);
    waiting.rulesVersion = Math.max(waiting.rulesVersion, row.rulesVersion);
    if (row.retryAtMs !== null) waiting.retryAtMs = Math.max(waiting.retryAtMs ?? 0, row.retryAtMs);
    return true;
  }

  async #writeAll(): Promise<void> {
    while (this.#counts.size > 0 || this.#described.length > 0) {
      const counted = [...this.#counts].slice(0, BATCH);
      for (const [name] of counted) this.#counts.delete(name);
      const described = this.#described.splice(0, BATCH);
      const rows = counted.map(([, row]) => row);
      try {
        await insertRefusals(this.#deps.sql, rows, described);
      } catch (error) {
        this.#putBack(rows, described);
        this.#warnings.warn(() => this.#deps.log.warn('refusals.write_failed', { error }));
        this.#writing.schedule(RETRY_MS);
        return;
      }
    }
  }

  /** If only the response was lost, they count twice: that beats losing them. */
  #putBack(rows: readonly CountedRefusals[], described: readonly DescribedRefusal[]): void {
    for (const row of rows) if (!this.#add(row)) this.#deps.onLost(row.refused);
    this.#described = [...described, ...this.#described].slice(-MAX_WAITING);
  }
}
