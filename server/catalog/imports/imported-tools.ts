import type { Runtime } from '../../core/runtime';
import { guarded } from '../../kit/guarded';
import { recordRun } from '../../platform/background/record-run';
import type { ToolDefinition } from '../../tools/sdk/define-tool';
import type { ToolRegistry } from '../../tools/tool-lookup';
import type { ProviderEntry, ProviderRegistry } from '../credentials/provider-registry';
import { PricedTools } from '../prices/priced-tools';
import { type CurrentPrices, readCurrentPrices } from '../prices/read-current-prices';
import type { ChangingCatalog } from '../tools/catalog';
import { buildTool } from './build-tool';
import { checkDueTools } from './check-due-tools';
import { findCallerCredential, getOrigin, type ImportedTool, toProvider } from './imported';
import { openToolCredential } from './open-tool-credential';
import { StdioPrograms } from './stdio-programs';
import { listImported, readFingerprint, requestCheck } from './store';

/** Reread interval: a notification may be lost with its connection. */
const REREAD_MS = 10_000;
const CHECK_TICK_MS = 60_000;
/** Delay of the check after a call noticed a change. */
const CHECK_DELAY_MS = 1_000;
/** Bounds how often one tool is marked for a check, however often its upstream reports a change. */
const MARK_INTERVAL_MS = 10_000;

interface Registries {
  builtIn: readonly ToolDefinition[];
  registry: ToolRegistry;
  catalog: ChangingCatalog;
  slots: ProviderRegistry;
}

interface Built {
  revision: number;
  tool: ToolDefinition;
  slot: ProviderEntry | null;
}

/**
 * Keeps the tools of this process current: reads the imported ones and the prices of the built-in
 * ones from the database, at the start and after each change by any process. A running call keeps
 * the definition it started with.
 */
export class ImportedTools {
  readonly #registries: Registries;
  #runtime: Runtime | undefined;
  #programs: StdioPrograms | undefined;
  readonly #priced: PricedTools;
  #built = new Map<string, Built>();
  #fingerprint = '';
  #loaded = false;
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
  readonly #recentlyMarked = new Map<string, { again: boolean }>();
  readonly #abort = new AbortController();
  #checking: Promise<void> | undefined;

  constructor(shelves: Registries) {
    this.#registries = shelves;
    this.#priced = new PricedTools(shelves.builtIn);
  }

  /** Whether tools and prices were read at least once. */
  get isLoaded(): boolean {
    return this.#loaded;
  }

  /** A built-in tool at the prices of the release. */
  findBuiltIn(name: string): ToolDefinition | undefined {
    return this.#registries.builtIn.find((tool) => tool.name === name);
  }

  /** Must be called once, before all other methods. */
  attach(runtime: Runtime): void {
    this.#runtime = runtime;
    this.#programs = new StdioPrograms({
      dataDir: runtime.settings.dataDir,
      log: runtime.log,
      onDefinitionChanged: (tool) => this.markForCheck(tool),
    });
  }

  /**
   * Reads now and after each change.
   * @param checks whether this process checks the upstreams for changes
   */
  start({ checks }: { checks: boolean }): void {
    const { notices, settings } = this.#getRuntime();
    const read = guarded(() => this.#reread());
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

  #reread(): void {
    const { log } = this.#getRuntime();
    this.refresh().catch((error) => log.error('imported_tools.read_failed', { error }));
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
    const job = { name: 'tool_checks', everySeconds: CHECK_TICK_MS / 1000 };
    this.#checking ??= recordRun(runtime, job, () => checkDueTools(runtime, this.#abort.signal))
      .catch((error) => runtime.log.error('imported_tools.check_failed', { error }))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  /** Requests a check of the tool, soon, by whichever process checks. */
  markForCheck(tool: string): void {
    if (this.#abort.signal.aborted) return;
    const recent = this.#recentlyMarked.get(tool);
    if (recent) {
      recent.again = true;
      return;
    }
    const { db, log } = this.#getRuntime();
    this.#recentlyMarked.set(tool, { again: false });
    requestCheck(db, tool).catch((error) => log.warn('imported_tool.mark_failed', { tool, error }));
    this.#schedule(CHECK_DELAY_MS, () => void this.check());
    this.#schedule(MARK_INTERVAL_MS, () => {
      const again = this.#recentlyMarked.get(tool)?.again;
      this.#recentlyMarked.delete(tool);
      if (again) this.markForCheck(tool);
    });
  }

  #schedule(ms: number, work: () => void): void {
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
      const prices = await readCurrentPrices(sql);
      const fingerprint = `${await readFingerprint(sql)} ${prices.fingerprint}`;
      if (fingerprint !== this.#fingerprint) {
        await this.#registerAll(await listImported(db), prices);
        this.#fingerprint = fingerprint;
      }
      // A later change is found by a later reread.
      const { nextChangeMs } = prices;
      if (nextChangeMs !== null && nextChangeMs < REREAD_MS)
        this.#schedule(nextChangeMs, () => this.#reread());
      this.#loaded = true;
      this.#ready?.();
    }
  }

  async #registerAll(rows: readonly ImportedTool[], prices: CurrentPrices): Promise<void> {
    const runtime = this.#getRuntime();
    const { builtIn, registry, catalog, slots } = this.#registries;
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
    const tools = [...this.#priced.apply(prices), ...[...built.values()].map(({ tool }) => tool)];
    slots.replaceImported([...built.values()].flatMap(({ slot }) => slot ?? []));
    registry.replace(tools);
    await catalog.replace(tools);
    this.#built = built;
    this.#programs?.retainOnly(new Set(built.keys()));
    // Pages rendered from the previous tools are stale.
    runtime.facts.invalidate();
  }

  #build(row: ImportedTool): Built {
    const runtime = this.#getRuntime();
    const programs = this.#programs;
    if (!programs) throw new Error('The imported tools are not attached to a runtime');
    const env: Record<string, string> = {};
    for (const slot of row.slots) {
      const value = slot.carrier.kind === 'env' ? openToolCredential(runtime, slot) : null;
      if (slot.carrier.kind === 'env' && value !== null) env[slot.carrier.variable] = value;
    }
    const tool = buildTool(row, { ports: runtime.ports, programs, env });
    const origin = getOrigin(row.source);
    const slot = findCallerCredential(row);
    if (!slot || origin === null) return { revision: row.revision, tool, slot: null };
    const provider = toProvider(slot, origin);
    const entry = { slot: slot.slot, provider, baseUrl: origin, apiKey: openToolCredential(runtime, slot) };
    return { revision: row.revision, tool, slot: entry };
  }
}
