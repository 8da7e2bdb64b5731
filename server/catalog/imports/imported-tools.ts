import type { Runtime } from '../../core/runtime';
import { guarded } from '../../kit/guarded';
import type { ToolDefinition } from '../../tools/sdk/define-tool';
import type { ToolShelf } from '../../tools/tool-lookup';
import type { SlotBook, SlotEntry } from '../credentials/slot-book';
import type { ChangingCatalog } from '../tools/catalog';
import { buildTool } from './build-tool';
import { checkDueTools } from './check-due-tools';
import { callerSlotOf, type ImportedTool, originOf, providerOf } from './imported';
import { openSlot } from './open-slot';
import { StdioPrograms } from './stdio-programs';
import { askForCheck, listImported, readFingerprint } from './store';

/** Reread interval: a notification may be lost with its connection. */
const REREAD_MS = 10_000;
const CHECK_TICK_MS = 60_000;
/** Delay of the check after a call noticed a change. */
const SOON_MS = 1_000;
/** Bounds how often one tool is marked for a check, however often its upstream reports a change. */
const SUSPECT_MS = 10_000;

interface Shelves {
  builtIn: readonly ToolDefinition[];
  shelf: ToolShelf;
  catalog: ChangingCatalog;
  slots: SlotBook;
}

interface Built {
  revision: number;
  tool: ToolDefinition;
  slot: SlotEntry | null;
}

/**
 * Keeps the imported tools of this process current: reads them from the database and registers them
 * after the built-in ones, at the start and after each change by any process. A running call keeps
 * the definition it started with.
 */
export class ImportedTools {
  readonly #shelves: Shelves;
  #runtime: Runtime | undefined;
  #programs: StdioPrograms | undefined;
  #built = new Map<string, Built>();
  #fingerprint = '';
  #reading: Promise<void> | undefined;
  #again = false;
  #ready: (() => void) | undefined;
  /** Resolves after the first read; until then, an existing tool may seem unknown. */
  readonly ready = new Promise<void>((resolve) => {
    this.#ready = resolve;
  });
  #off: (() => void) | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Recently marked tools, and whether a change was noticed again since. */
  readonly #suspects = new Map<string, { again: boolean }>();
  readonly #abort = new AbortController();
  #checking: Promise<void> | undefined;

  constructor(shelves: Shelves) {
    this.#shelves = shelves;
  }

  /** Must be called once, before all other methods. */
  attach(runtime: Runtime): void {
    this.#runtime = runtime;
    this.#programs = new StdioPrograms({
      dataDir: runtime.settings.dataDir,
      log: runtime.log,
      onSuspect: (tool) => this.suspect(tool),
    });
  }

  /**
   * Reads now and after each change.
   * @param checks whether this process checks the upstreams for changes
   */
  start({ checks }: { checks: boolean }): void {
    const { notices, settings, log } = this.#getRuntime();
    const read = () =>
      void this.refresh().catch((error) => log.error('imported_tools.read_failed', { error }));
    this.#off = notices.on('tools', read);
    this.#timers.add(setInterval(read, REREAD_MS).unref());
    if (checks && settings.importCheckMinutes > 0)
      this.#timers.add(
        setInterval(
          guarded(() => void this.check()),
          CHECK_TICK_MS,
        ).unref(),
      );
    read();
  }

  /** Reads again, including changes made during a read in progress. */
  refresh(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Checks the tools that are due; one round at a time. Never rejects. */
  check(): Promise<void> {
    const runtime = this.#getRuntime();
    this.#checking ??= checkDueTools(runtime, this.#abort.signal)
      .catch((error) => runtime.log.error('imported_tools.check_failed', { error }))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  /** Requests a check of the tool, soon, by whichever process checks. */
  suspect(tool: string): void {
    if (this.#abort.signal.aborted) return;
    const recent = this.#suspects.get(tool);
    if (recent) {
      recent.again = true;
      return;
    }
    const { db, log } = this.#getRuntime();
    this.#suspects.set(tool, { again: false });
    askForCheck(db, tool).catch((error) => log.warn('imported_tool.mark_failed', { tool, error }));
    this.#later(SOON_MS, () => void this.check());
    this.#later(SUSPECT_MS, () => {
      const again = this.#suspects.get(tool)?.again;
      this.#suspects.delete(tool);
      if (again) this.suspect(tool);
    });
  }

  #later(ms: number, work: () => void): void {
    const run = guarded(() => {
      this.#timers.delete(timer);
      work();
    });
    const timer = setTimeout(run, ms).unref();
    this.#timers.add(timer);
  }

  /** Stops programs, timers and checks. */
  async close(): Promise<void> {
    this.#abort.abort();
    this.#off?.();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#ready?.();
    await Promise.all([this.#programs?.close(), this.#checking, this.#reading?.catch(() => undefined)]);
  }

  #getRuntime(): Runtime {
    if (!this.#runtime) throw new Error('The imported tools are not attached to a runtime');
    return this.#runtime;
  }

  async #readAll(): Promise<void> {
    const { sql, db } = this.#getRuntime();
    while (this.#again && !this.#abort.signal.aborted) {
      this.#again = false;
      const fingerprint = await readFingerprint(sql);
      if (fingerprint !== this.#fingerprint) {
        await this.#shelve(await listImported(db));
        this.#fingerprint = fingerprint;
      }
      this.#ready?.();
    }
  }

  async #shelve(rows: readonly ImportedTool[]): Promise<void> {
    const runtime = this.#getRuntime();
    const { builtIn, shelf, catalog, slots } = this.#shelves;
    const ownNames = new Set(builtIn.map(({ name }) => name));
    const built = new Map<string, Built>();
    for (const row of rows) {
      if (ownNames.has(row.name)) {
        runtime.log.error('imported_tool.name_conflict', {
          tool: row.name,
        });
        continue;
      }
      try {
        const known = this.#built.get(row.name);
        built.set(row.name, known?.revision === row.revision ? known : this.#build(row));
      } catch (error) {
        runtime.log.error('imported_tool.unusable', { tool: row.name, error });
      }
    }
    const tools = [...builtIn, ...[...built.values()].map(({ tool }) => tool)];
    slots.replaceImported([...built.values()].flatMap(({ slot }) => slot ?? []));
    shelf.replace(tools);
    await catalog.replace(tools);
    this.#built = built;
    this.#programs?.keepOnly(new Set(built.keys()));
    // Pages rendered from the previous tools are stale.
    runtime.facts.forget();
  }

  #build(row: ImportedTool): Built {
    const runtime = this.#getRuntime();
    const programs = this.#programs;
    if (!programs) throw new Error('The imported tools are not attached to a runtime');
    const env: Record<string, string> = {};
    for (const slot of row.slots) {
      const value = slot.carrier.kind === 'env' ? openSlot(runtime, slot) : null;
      if (slot.carrier.kind === 'env' && value !== null) env[slot.carrier.variable] = value;
    }
    const tool = buildTool(row, { ports: runtime.ports, programs, env });
    const origin = originOf(row.source);
    const slot = callerSlotOf(row);
    if (!slot || origin === null) return { revision: row.revision, tool, slot: null };
    const provider = providerOf(slot, origin);
    const entry = { slot: slot.slot, provider, baseUrl: origin, apiKey: openSlot(runtime, slot) };
    return { revision: row.revision, tool, slot: entry };
  }
}
