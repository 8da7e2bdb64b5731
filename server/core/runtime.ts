import type { Database, Sql } from '@/db/client';
import type { CallFlush } from '../calls/flush';
import type { JobReader } from '../calls/jobs/read-job';
import type { RunningCalls } from '../calls/running-calls';
import type { UnfitKeys } from '../calls/unfit-keys';
import type { SlotBook } from '../catalog/credentials/slot-book';
import type { ImportedTools } from '../catalog/imports/imported-tools';
import type { Catalog } from '../catalog/tools/catalog';
import type { ToolFacts } from '../catalog/tools/tool-facts';
import type { ToolSwitches } from '../catalog/tools/tool-switches';
import type { KeyMemory } from '../identity/keys/key-memory';
import type { Logger } from '../kit/log';
import type { Observer } from '../platform/observe/observer';
import type { Ports } from '../platform/ports/ports';
import type { BootedSettings } from '../platform/settings/settings';
import type { Engines } from '../tools/sdk/engines';
import type { ToolLookup } from '../tools/tool-lookup';
import type { Quotas } from './limits/windows';
import type { Guesses } from './limits/wrong-guesses';
import type { AccountWatch } from './live/watch-accounts';
import type { Notices } from './notices/notices';
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
