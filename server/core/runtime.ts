import type { Database, Sql } from '@/db/client';
import type { Logger } from '../kit/log';
import type { Quotas } from './limits/windows';
import type { Guesses } from './limits/wrong-guesses';
import type { AccountWatch } from './live/watch-accounts';
import type { Notices } from './notices/notices';
import type { Actors } from './trpc/actors';
import type { Versions } from './versions/versions';

/**
 * What exists once in a process: filled by instrumentation.ts or by the harness of a test. Each layer
 * above adds its own fields in its `runtime.ts`.
 */
export interface Runtime {
  readonly quotas: Quotas;
  readonly sql: Sql;
  readonly db: Database;
  readonly versions: Versions;
  /** Wrong keys and claim tokens, by client network. */
  readonly guesses: Guesses;
  readonly notices: Notices;
  readonly live: AccountWatch;
  readonly log: Logger;
  /** Finds out who makes a request. */
  readonly actors: Actors;
}

declare module '../kit/gateway-slot' {
  interface GatewaySlot {
    runtime?: Runtime;
  }
}

/** The runtime of this process; throws where nothing has filled the slot, which is a start-up bug. */
export function getRuntime(): Runtime {
  const runtime = globalThis.__gateway?.runtime;
  if (!runtime)
    throw new Error('The gateway is not started: pages need npm start or npm run dev, not next alone');
  return runtime;
}
