import type { Database, Sql } from '@/db/client';
import type { CallFlush } from './calls/flush';
import type { RunningCalls } from './calls/running-calls';
import type { UnfitKeys } from './calls/unfit-keys';
import type { Catalog } from './catalog/catalog';
import type { ToolFacts } from './catalog/tool-facts';
import type { ToolSwitches } from './catalog/tool-switches';
import type { SlotBook } from './credentials/slot-book';
import type { ImportedTools } from './imports/imported-tools';
import type { JobReader } from './jobs/read-job';
import type { KeyMemory } from './keys/key-memory';
import type { Quotas } from './limits/windows';
import type { Guesses } from './limits/wrong-guesses';
import type { AccountWatch } from './live/watch-accounts';
import type { Logger } from './log';
import type { Notices } from './notices';
import type { Observer } from './observe/observer';
import type { Ports } from './ports/ports';
import type { BootedSettings } from './settings';
import type { Engines } from './tools/engines';
import type { ToolLookup } from './tools/tool-lookup';
import type { Versions } from './versions/versions';

/** What must exist once in a process. Filled by instrumentation.ts (or a test's harness), read by everyone. */
export interface Runtime {
  readonly settings: BootedSettings;
  readonly quotas: Quotas;
  readonly sql: Sql;
  readonly db: Database;
  readonly ports: Ports;
  readonly tools: ToolLookup;
  readonly engines: Engines;
  readonly catalog: Catalog;
  /** The providers whose credentials calls can be made with; those of imported tools come and go. */
  readonly slots: SlotBook;
  /** The tools that the operator has brought: on the shelf of every process, within a second of a change. */
  readonly imports: ImportedTools;
  readonly facts: ToolFacts;
  /** Which built-in tools the operator has switched off. */
  readonly switches: ToolSwitches;
  readonly versions: Versions;
  readonly flush: CallFlush;
  readonly keyMemory: KeyMemory;
  readonly unfitKeys: UnfitKeys;
  /** Wrong keys and claim tokens, by client network. */
  readonly guesses: Guesses;
  readonly running: RunningCalls;
  readonly notices: Notices;
  readonly live: AccountWatch;
  readonly readJob: JobReader;
  readonly log: Logger;
  /** What operators see: requests, health, metrics, traces. */
  readonly observer: Observer;
}

/** The runtime of this process; throws where nothing has filled the slot, which is a start-up bug. */
export function getRuntime(): Runtime {
  const runtime = globalThis.__gateway?.runtime;
  if (!runtime)
    throw new Error('The gateway is not started: pages need npm start or npm run dev, not next alone');
  return runtime;
}
