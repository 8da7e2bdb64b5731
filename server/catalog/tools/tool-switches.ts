import type { Sql } from '@/db/client';
import type { Notices } from '../../core/notices/notices';
import type { Logger } from '../../kit/log';
import { listSwitchedOff } from './switch-store';

/** Told or not, a process looks again after this long: a notice may be lost with its connection. */
const REREAD_MS = 10_000;
/** In words for a caller: the reason is for the operators. */
const SWITCHED_OFF = 'The operator has switched it off.';

interface Deps {
  sql: Sql;
  notices: Notices;
  log: Logger;
  /** What was made from how tools were is out of date. */
  onChange(): void;
}

/** Which built-in tools the operator has switched off, as this process knows it: within a second of the switch. */
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

  /** Reads now, and whenever there is something new. */
  start(): void {
    const read = () =>
      void this.refresh().catch((error) => this.#deps.log.error('tool switches were not read', { error }));
    this.#unlisten = this.#deps.notices.on('tools', read);
    this.#timer = setInterval(read, REREAD_MS).unref();
    read();
  }

  close(): void {
    this.#unlisten?.();
    clearInterval(this.#timer);
  }

  /** Null where the tool is on; else why it cannot be called. Nothing is asked once the first look is done. */
  whyOff(tool: string): string | null | Promise<string | null> {
    if (this.#off) return this.#off.has(tool) ? SWITCHED_OFF : null;
    return this.refresh().then(() => this.whyOff(tool));
  }

  /** Reads again; what changed meanwhile is read too. */
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
