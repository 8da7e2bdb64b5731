import type { Database, Sql } from '@/db/client';
import type { Logger } from '../kit/log';
import type { AuthFailureLimiters } from './limits/auth-failure-limiter';
import type { ReadPlaces } from './limits/read-places';
import type { Quotas } from './limits/windows';
import type { AccountWatch } from './live/watch-accounts';
import type { Notices } from './notices/notices';
import type { Actors } from './trpc/actors';
import type { Versions } from './versions/versions';

/**
 * The objects that exist once per process, created by instrumentation.ts or a test harness. Each
 * layer above adds its own fields in its `runtime.ts`.
 */
export interface Runtime {
  readonly quotas: Quotas;
  readonly sql: Sql;
  readonly db: Database;
  readonly versions: Versions;
  /** Limits invalid API keys and claim tokens per client network. */
  readonly authFailures: AuthFailureLimiters;
  readonly reads: ReadPlaces;
  readonly notices: Notices;
  readonly live: AccountWatch;
  readonly log: Logger;
  /** Identifies who makes a request. */
  readonly actors: Actors;
}

declare module '../kit/process-singleton' {
  interface ProcessSingleton {
    runtime?: Runtime;
  }
}

/**
 * Returns the runtime of this process.
 * @throws Error if it has not been created yet, which is a start-up bug
 */
export function getRuntime(): Runtime {
  const runtime = globalThis.__gateway?.runtime;
  if (!runtime)
    throw new Error('The gateway is not started. Pages need `npm start` or `npm run dev`, not `next` alone.');
  return runtime;
}
