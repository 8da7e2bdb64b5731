import type { Sql } from '@/db/client';
import { readVersions } from './store';
import { AccountWatch } from './watch-accounts';

/** The watch of this process; it looks only while somebody watches. */
export function createAccountWatch(
  sql: Sql,
  onError: (error: unknown) => void,
  pollMs: number,
): AccountWatch {
  return new AccountWatch((sessions) => readVersions(sql, sessions), onError, pollMs);
}
