import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import { boolean, defineRow, text } from '@/db/rows';
import { CALL_WINDOWS, readWindows, type WindowState, windowColumns } from '../../core/limits/windows';
import type { AccountType } from '../../core/trpc/actor';

/** The current state of a key. */
export interface ResolvedKey {
  keyId: string;
  accountId: string;
  /** The account that issued the key; differs from `accountId` after a claim. */
  originAccountId: string;
  accountType: AccountType;
  userId: string | null;
  frozen: boolean;
  revoked: boolean;
  /**
   * The key has an allowance, may not manage the account, or belongs to an application or the
   * playground.
   */
  restricted: boolean;
  /** The key belongs to a connected application. */
  application: boolean;
  windows: WindowState;
}

const keyRow = defineRow({
  hash: text(),
  id: text(),
  account_id: text(),
  origin_account_id: text(),
  type: text<AccountType>(),
  owner_user_id: text().nullable(),
  frozen: boolean(),
  revoked: boolean(),
  restricted: boolean(),
  application: boolean(),
  ...windowColumns,
});

/**
 * A SQL condition on the key `k`: true if it may not manage its account. Such a key sees only what
 * it created itself.
 */
export function isRestricted(sql: Sql) {
  return sql`(k.credits_microusd is not null or not k.manages_account or k.kind <> 'api')`;
}

/**
 * Resolves a batch of keys by hash, with the state of their rate-limit windows. Every decision made
 * without open_calls uses this result, so a revocation applies to the next request in all
 * processes.
 */
export async function resolveKeys(sql: Sql, hashes: string[]): Promise<(ResolvedKey | null)[]> {
  const seconds = sql`${arrayLiteral(CALL_WINDOWS.map((window) => window.seconds))}::int[]`;
  const rows = await keyRow.read(sql`
    select u.hash, k.id, k.account_id, coalesce(k.origin_account_id, k.account_id) as origin_account_id, a.type, a.owner_user_id,
      a.frozen_at is not null as frozen, k.revoked_at is not null as revoked,
      ${isRestricted(sql)} as restricted, k.kind = 'oauth' as application,
      window_use(k.window_started_at, k.window_used, ${seconds}, 0, now())::text as window_used,
      window_resets(k.window_started_at, ${seconds}, now())::text as window_resets
    -- The subquery hides the array's length, so the planner can reuse one plan per connection.
    from unnest((select ${arrayLiteral(hashes)}::text[])) u(hash)
    -- The limit forces an index look-up per hash; a join scans the whole table while it is small.
    cross join lateral (select * from api_keys where key_hash = decode(u.hash, 'hex') limit 1) k
    join accounts a on a.id = k.account_id`);
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash);
    return row
      ? {
          keyId: row.id,
          accountId: row.account_id,
          originAccountId: row.origin_account_id,
          accountType: row.type,
          userId: row.owner_user_id,
          frozen: row.frozen,
          revoked: row.revoked,
          restricted: row.restricted,
          application: row.application,
          windows: readWindows(row),
        }
      : null;
  });
}
