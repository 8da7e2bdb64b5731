import type { Sql } from '@/db/client';
import { readVersions } from './store';
import { AccountWatch } from './watch-accounts';

/** Creates the account watch of this process; it polls only while there is a watcher. */
export function createAccountWatch(
  sql: Sql,
  onError: (error: unknown) => void,
  pollMs: number,
): AccountWatch {
  return new AccountWatch((sessions) => readVersions(sql, sessions), onError, pollMs);
}
