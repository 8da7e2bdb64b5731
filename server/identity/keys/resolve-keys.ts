import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import type { WindowState } from '../../core/limits/windows';
import type { AccountType } from '../../core/trpc/actor';

/** A live key as it stands now. */
export interface ResolvedKey {
  keyId: string;
  accountId: string;
  /** The account in which it was made: another one once it has been claimed. */
  originAccountId: string;
  accountType: AccountType;
  userId: string | null;
  frozen: boolean;
  revoked: boolean;
  /**
   * It has an allowance, was claimed without the right to manage the account, or is an
   * application's or the playground's.
   */
  restricted: boolean;
  /** It is a connected application's. */
  application: boolean;
  windows: WindowState;
}

interface KeyRow {
  hash: string;
  id: string;
  account_id: string;
  origin_account_id: string;
  type: AccountType;
  owner_user_id: string | null;
  frozen: boolean;
  revoked: boolean;
  restricted: boolean;
  application: boolean;
  minute_used: number;
  minute_reset: number;
  hour_used: number;
  hour_reset: number;
}

/**
 * Whether the key `k` of a statement acts within bounds of its own: it does not manage the account,
 * and sees its own work.
 */
export function isRestricted(sql: Sql) {
  return sql`(k.credits_microusd is not null or not k.manages_account or k.kind <> 'api')`;
}

/**
 * Looks a group of keys up by their hashes, with the state of their windows: what is refused or
 * answered without open_calls rests on this, so a revocation counts from the next request on, in
 * every process.
 */
export async function resolveKeys(sql: Sql, hashes: string[]): Promise<(ResolvedKey | null)[]> {
  const rows = await sql<KeyRow[]>`
    select u.hash, k.id, k.account_id, coalesce(k.origin_account_id, k.account_id) as origin_account_id, a.type, a.owner_user_id,
      a.frozen_at is not null as frozen, k.revoked_at is not null as revoked,
      ${isRestricted(sql)} as restricted, k.kind = 'oauth' as application,
      case when w.minute_left > 0 then k.minute_used else 0 end as minute_used,
      case when w.minute_left > 0 then w.minute_left else 60 end as minute_reset,
      case when w.hour_left > 0 then k.hour_used else 0 end as hour_used,
      case when w.hour_left > 0 then w.hour_left else 3600 end as hour_reset
    -- In a subquery the planner does not see how many there are: it plans once a connection, not for each group.
    from unnest((select ${arrayLiteral(hashes)}::text[])) u(hash)
    -- The limit keeps it a look-up by index for each: joined, the planner reads the whole table while that is small.
    cross join lateral (select * from api_keys where key_hash = decode(u.hash, 'hex') limit 1) k
    join accounts a on a.id = k.account_id
    cross join lateral (select
      ceil(extract(epoch from k.minute_started_at + interval '1 minute' - now()))::int as minute_left,
      ceil(extract(epoch from k.hour_started_at + interval '1 hour' - now()))::int as hour_left) w`;
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
          windows: {
            minuteUsed: row.minute_used,
            minuteReset: row.minute_reset,
            hourUsed: row.hour_used,
            hourReset: row.hour_reset,
          },
        }
      : null;
  });
}
