import type { Database, Sql } from '@/db/client';
import type { CallFlush } from './calls/flush';
import type { ToolLookup } from './calls/prepare-call';
import type { RunningCalls } from './calls/running-calls';
import type { Catalog } from './catalog/catalog';
import type { ToolFacts } from './catalog/tool-facts';
import type { Logger } from './log';
import type { Ports } from './ports/ports';
import type { Settings } from './settings';

/** What must exist once in a process. Filled by instrumentation.ts (or a test's harness), read by everyone. */
export interface Runtime {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly db: Database;
  readonly ports: Ports;
  readonly catalog: Catalog;
  readonly facts: ToolFacts;
  readonly tools: ToolLookup;
  readonly flush: CallFlush;
  readonly running: RunningCalls;
  readonly log: Logger;
}

/** The slot that serve.mjs and Next's separately bundled routes share. */
export interface GatewaySlot {
  runtime: Runtime;
  dispatch(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse): void;
  createSignInLink(): Promise<string>;
  close(): Promise<void>;
}

declare global {
  var __gateway: GatewaySlot | undefined;
}

/** The runtime of this process; throws where nothing has filled the slot, which is a start-up bug. */
export function getRuntime(): Runtime {
  const slot = globalThis.__gateway;
  if (!slot)
    throw new Error('The gateway runtime is not started: pages need serve.mjs (npm start or npm run dev)');
  return slot.runtime;
}
