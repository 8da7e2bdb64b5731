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

/** Told or not, a process looks again after this long: a notice may be lost with its connection. */
const REREAD_MS = 10_000;
const CHECK_TICK_MS = 60_000;
/** After something looked wrong during a call. */
const SOON_MS = 1_000;
/** A tool is marked once in this time, however often its upstream says that it has changed. */
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
 * The imported tools of this process: read from the database, put on its shelves beside the
 * built-in ones, and again whenever some process has changed them. A call in flight keeps the
 * definition it began with.
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
  /** The first reading is done: until then a name may be unknown that is not. */
  readonly ready = new Promise<void>((resolve) => {
    this.#ready = resolve;
  });
  #off: (() => void) | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Tools that were marked a moment ago, and whether something looked wrong again since then. */
  readonly #suspects = new Map<string, { again: boolean }>();
  readonly #abort = new AbortController();
  #checking: Promise<void> | undefined;

  constructor(shelves: Shelves) {
    this.#shelves = shelves;
  }

  /** Once, before anything else: what it reads with. */
  attach(runtime: Runtime): void {
    this.#runtime = runtime;
    this.#programs = new StdioPrograms({
      dataDir: runtime.settings.dataDir,
      log: runtime.log,
      onSuspect: (tool) => this.suspect(tool),
    });
  }

  /**
   * Reads now, and whenever there is something new.
   * @param checks whether this process looks if the upstreams are still what was approved
   */
  start({ checks }: { checks: boolean }): void {
    const { notices, settings, log } = this.#getRuntime();
    const read = () =>
      void this.refresh().catch((error) => log.error('imported tools were not read', { error }));
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

  /** Reads again; what changed meanwhile is read too. */
  refresh(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Looks at those tools whose time it is; one round at a time. Never rejects. */
  check(): Promise<void> {
    const runtime = this.#getRuntime();
    this.#checking ??= checkDueTools(runtime, this.#abort.signal)
      .catch((error) => runtime.log.error('imported tools were not checked', { error }))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  /** Something of the tool looked wrong: it is looked at soon, by whichever process does that. */
  suspect(tool: string): void {
    if (this.#abort.signal.aborted) return;
    const recent = this.#suspects.get(tool);
    if (recent) {
      recent.again = true;
      return;
    }
    const { db, log } = this.#getRuntime();
    this.#suspects.set(tool, { again: false });
    askForCheck(db, tool).catch((error) =>
      log.warn('an imported tool was not marked for a look', { tool, error }),
    );
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

  /** Ends the programs that were started, and all that goes on by itself. */
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
        runtime.log.error('an imported tool has the name of a built-in one and is left out', {
          tool: row.name,
        });
        continue;
      }
      try {
        const known = this.#built.get(row.name);
        built.set(row.name, known?.revision === row.revision ? known : this.#build(row));
      } catch (error) {
        runtime.log.error('an imported tool cannot be used', { tool: row.name, error });
      }
    }
    const tools = [...builtIn, ...[...built.values()].map(({ tool }) => tool)];
    slots.replaceImported([...built.values()].flatMap(({ slot }) => slot ?? []));
    shelf.replace(tools);
    await catalog.replace(tools);
    this.#built = built;
    this.#programs?.keepOnly(new Set(built.keys()));
    // What was rendered from the tools there were is out of date.
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
