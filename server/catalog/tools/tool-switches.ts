import type { Sql } from '@/db/client';
import type { Notices } from '../../core/notices/notices';
import type { Logger } from '../../kit/log';
import { listSwitchedOff } from './switch-store';

/** Reread interval: a notification may be lost with its connection. */
const REREAD_MS = 10_000;
/** The message for callers; the operator's reason is not public. */
const SWITCHED_OFF = 'The operator has switched it off.';

interface Deps {
  sql: Sql;
  notices: Notices;
  log: Logger;
  /** Called when the switches changed: anything derived from them is stale. */
  onChange(): void;
}

/** Keeps the disabled built-in tools of this process current, within a second of a change. */
export class ToolSwitches {
  readonly #deps: Deps;
  #off: ReadonlySet<string> | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #unlisten: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reads now and after each change. */
  start(): void {
    const read = () =>
      void this.refresh().catch((error) => this.#deps.log.error('tool_switches.read_failed', { error }));
    this.#unlisten = this.#deps.notices.on('tools', read);
    this.#timer = setInterval(read, REREAD_MS).unref();
    read();
  }

  close(): void {
    this.#unlisten?.();
    clearInterval(this.#timer);
  }

  /**
   * Returns why the tool cannot be called; null if it is enabled. Reads the database only until the
   * first read is done.
   */
  findDisabledReason(tool: string): string | null | Promise<string | null> {
    if (this.#off) return this.#off.has(tool) ? SWITCHED_OFF : null;
    return this.refresh().then(() => this.findDisabledReason(tool));
  }

  /** Reads again, including changes made during a read in progress. */
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
      const before = this.#off;
      const now = new Set(await listSwitchedOff(this.#deps.sql));
      this.#off = now;
      const same = before?.size === now.size && [...now].every((tool) => before.has(tool));
      if (!same) this.#deps.onChange();
    }
  }
}
