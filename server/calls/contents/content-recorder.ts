import type { Sql } from '@/db/client';
import type { Notices } from '../../core/notices/notices';
import { DelayedWork } from '../../kit/delayed-work';
import type { Logger } from '../../kit/log';
import { WarnLimit } from '../../kit/warn-limit';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import type { Vault } from '../../platform/ports/ports';
import type { Settings } from '../../platform/settings/settings';
import type { Attempt } from '../execution/attempt-call';
import type { RunLog } from '../execution/run-log';
import type { PreparedCall } from '../prepare/prepare-call';
import { buildContent, contentContext, type EndedCall } from './content';
import { insertContents, listStoringAccounts, type NewContent } from './store';

/** Calls that wait to be stored; more are lost. Each refers to its complete output. */
const MAX_WAITING = 256;
/** Contents of one statement, of which the last may exceed the bytes: writing them is one turn. */
const BATCH = 32;
const MAX_STATEMENT_BYTES = 1024 * 1024;
/** Until then, calls that end together share a statement. */
const DELAY_MS = 50;
/** Reread interval: a notification may be lost with its connection. */
const REREAD_MS = 30_000;
/** The interval between two warnings about lost contents. */
const WARN_MS = 60_000;

interface Deps {
  sql: Sql;
  notices: Notices;
  vault: Vault;
  log: Logger;
  settings: Pick<Settings, 'callContentMaxDays'>;
}

/** The parts of a settled call that are stored, or say for whom. */
type RecordedCall = Pick<PreparedCall, 'id' | 'keyId' | 'accountId' | 'rawInput' | 'credential'>;

/**
 * Stores the contents of calls of accounts that have opted in, after the calls have ended. Calls
 * never wait for it: contents are lost while it cannot keep up.
 */
export class ContentRecorder {
  readonly #deps: Deps;
  /** Whether accounts may store contents on this gateway. */
  readonly #isOn: boolean;
  #accounts: ReadonlySet<string> | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #waiting: EndedCall[] = [];
  readonly #writing = new DelayedWork(() => this.#writeAll());
  #reread: NodeJS.Timeout | undefined;
  #unlisten: (() => void) | undefined;
  readonly #warnings = new WarnLimit(WARN_MS);
  /** Contents that were not stored, for tests. */
  lost = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#isOn = deps.settings.callContentMaxDays > 0;
  }

  /** Reads now, and after each change, which accounts store contents. */
  start(): void {
    if (!this.#isOn) return;
    const read = () =>
      void this.refresh().catch((error) => this.#deps.log.error('call_contents.read_failed', { error }));
    this.#unlisten = this.#deps.notices.on('contents', read);
    this.#reread = setInterval(read, REREAD_MS).unref();
    read();
  }

  /** Stores what waits, and stops. */
  async close(): Promise<void> {
    this.#unlisten?.();
    clearInterval(this.#reread);
    await this.#writing.close();
  }

  /** Whether contents of an account's calls are stored; true until that is known. */
  wants(accountId: string): boolean {
    return this.#isOn && (this.#accounts?.has(accountId) ?? true);
  }

  /** Takes a settled call, if its account has opted in. Returns at once and never throws. */
  record(call: RecordedCall, attempt: Attempt, log: Pick<RunLog, 'lines'>): void {
    const { id, keyId, accountId, rawInput, credential } = call;
    if (!this.wants(accountId)) return;
    if (this.#waiting.length >= MAX_WAITING) {
      this.#lose(1);
      return;
    }
    this.#waiting.push({ id, keyId, accountId, rawInput, credential, attempt, log: log.lines });
    this.#writing.schedule(DELAY_MS);
  }

  /** Stores what waits now. Never rejects. */
  flush(): Promise<void> {
    return this.#writing.run();
  }

  /** Reads again which accounts store contents, also if a read is in progress. */
  refresh(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      this.#accounts = new Set(await listStoringAccounts(this.#deps.sql));
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        if (!this.#accounts) await this.refresh();
        await this.#write(batch.filter(({ accountId }) => this.wants(accountId)));
      } catch (error) {
        this.#lose(batch.length, error);
      }
    }
  }

  async #write(calls: readonly EndedCall[]): Promise<void> {
    if (calls.length === 0) return;
    const { sql, vault } = this.#deps;
    let contents: NewContent[] = [];
    let bytes = 0;
    for (const call of calls) {
      // Serves requests in between: each content is up to 160 KiB of JSON to redact and seal.
      await yieldToEventLoop();
      const { id: callId, accountId, keyId } = call;
      const sealed = vault.seal(JSON.stringify(buildContent(call)), contentContext({ accountId, callId }));
      contents.push({ callId, accountId, keyId, sealed });
      bytes += sealed.length;
      if (bytes < MAX_STATEMENT_BYTES) continue;
      await insertContents(sql, contents, vault.keyId);
      contents = [];
      bytes = 0;
    }
    if (contents.length > 0) await insertContents(sql, contents, vault.keyId);
  }

  #lose(count: number, error?: unknown): void {
    this.lost += count;
    this.#warnings.warn(() => this.#deps.log.warn('call_contents.lost', { count, error }));
  }
}
