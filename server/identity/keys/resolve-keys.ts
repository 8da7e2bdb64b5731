import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import { boolean, defineRow, integer, json, text } from '@/db/rows';
import { type KeyRules, type SpendPeriod, toNetworks, toQuotas } from '../../core/limits/key-rules';
import { CALL_WINDOWS } from '../../core/limits/limits';
import { readWindows, type WindowState, windowColumns } from '../../core/limits/windows';
import type { AccountType } from '../../core/trpc/actor';
import type { KeyRow } from './store';

/** The current state of a key. */
export interface ResolvedKey {
  keyId: string;
  accountId: string;
  /** The account that issued the key; differs from `accountId` after a claim. */
  originAccountId: string;
  accountType: AccountType;
  /** The account was opened by the payment of a call, and no person has claimed it. */
  prepaid: boolean;
  /** The person who owns its account; null for a provisional account and a team. */
  userId: string | null;
  /** The slug of the team that owns the key. */
  teamSlug: string | null;
  frozen: boolean;
  revoked: boolean;
  expired: boolean;
  /** The secret is the one before the last rotation. */
  previous: boolean;
  rulesVersion: number;
  rules: KeyRules | null;
  /**
   * The key has a credit limit or other rules, may not manage the account, or belongs to a team, an
   * application or the playground.
   */
  restricted: boolean;
  /** The key belongs to a connected application. */
  application: boolean;
  windows: WindowState;
}

interface StoredRules {
  accountQuotas: number[] | null;
  accountConcurrency: number | null;
  expiresAt: string | null;
  allowedTools: string[] | null;
  allowedIps: string[] | null;
  rateLimits: number[] | null;
  concurrencyLimit: number | null;
  spendPeriod: SpendPeriod | null;
}

const keyRow = defineRow({
  hash: text(),
  id: text(),
  account_id: text(),
  origin_account_id: text(),
  type: text<AccountType>(),
  prepaid: boolean(),
  owner_user_id: text().nullable(),
  slug: text().nullable(),
  frozen: boolean(),
  revoked: boolean(),
  expired: boolean(),
  previous: boolean(),
  rules_version: integer(),
  rules: json<StoredRules>().nullable(),
  restricted: boolean(),
  application: boolean(),
  ...windowColumns,
});

/**
 * A SQL condition on the key `k`: true if it may not manage its account. Such a key sees only what
 * it created itself.
 */
export function isRestricted(sql: Sql) {
  return sql`(k.credits_microusd is not null or not k.manages_account or k.kind <> 'api' or ${hasRulesSql(sql)})`;
}

/** The columns by which a key expires or has a limit other than credit; null: no rule. */
const RULE_COLUMNS = [
  'expiresAt',
  'allowedTools',
  'allowedIps',
  'rateLimits',
  'concurrencyLimit',
  'spendLimitMicrousd',
] as const satisfies readonly (keyof KeyRow)[];
const RULE_NAMES = RULE_COLUMNS.map((column) => `k.${column.replace(/[A-Z]/g, '_$&').toLowerCase()}`);

export function hasRules(row: Pick<KeyRow, (typeof RULE_COLUMNS)[number]>): boolean {
  return RULE_COLUMNS.some((column) => row[column] !== null);
}

/** The same as a SQL condition on the key `k`. */
function hasRulesSql(sql: Sql) {
  return sql`num_nonnulls(${sql(RULE_NAMES)}) > 0`;
}

/**
 * Resolves a batch of keys by hash, with the state of their rate-limit windows. Every decision made
 * without admit_calls uses this result, so a revocation applies to the next request in all
 * processes.
 */
export async function resolveKeys(sql: Sql, hashes: string[]): Promise<(ResolvedKey | null)[]> {
  const seconds = sql`${arrayLiteral(CALL_WINDOWS.map((window) => window.seconds))}::int[]`;
  const rows = await keyRow.read(sql`
    select u.hash, k.id, k.account_id, coalesce(k.origin_account_id, k.account_id) as origin_account_id, a.type, a.prepaid,
      case when a.type <> 'team' then a.owner_user_id end as owner_user_id, a.slug,
      a.frozen_at is not null as frozen, k.revoked_at is not null as revoked,
      k.expires_at <= now() is true as expired, k.previous, k.rules_version,
      case when k.account_quotas is not null or ${hasRulesSql(sql)} then json_build_object('expiresAt', k.expires_at,
        'allowedTools', k.allowed_tools, 'accountQuotas', k.account_quotas, 'accountConcurrency', k.account_concurrency,
        'allowedIps', k.allowed_ips, 'rateLimits', k.rate_limits, 'concurrencyLimit', k.concurrency_limit,
        'spendPeriod', k.spend_period) end as rules,
      ${isRestricted(sql)} or a.type = 'team' as restricted, k.kind = 'oauth' as application,
      window_use(k.window_started_at, k.window_used, ${seconds}, 0, now())::text as window_used,
      window_resets(k.window_started_at, ${seconds}, now())::text as window_resets
    -- The subquery hides the array's length, so the planner can reuse one plan per connection.
    from unnest((select ${arrayLiteral(hashes)}::text[])) u(hash)
    -- The limit forces an index look-up per hash; a join scans the whole table while it is small.
    cross join lateral (
      select *, false as previous from api_keys where key_hash = decode(u.hash, 'hex')
      union all
      select *, true from api_keys where previous_key_hash = decode(u.hash, 'hex') and previous_expires_at > now()
      limit 1
    ) k
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
          prepaid: row.prepaid,
          userId: row.owner_user_id,
          teamSlug: row.slug,
          frozen: row.frozen,
          revoked: row.revoked,
          expired: row.expired,
          previous: row.previous,
          rulesVersion: row.rules_version,
          rules: row.rules && readRules(row.rules),
          restricted: row.restricted,
          application: row.application,
          windows: readWindows(row),
        }
      : null;
  });
}

function readRules(stored: StoredRules): KeyRules {
  const { expiresAt, allowedTools, allowedIps, rateLimits, concurrencyLimit, spendPeriod } = stored;
  return {
    accountQuotas: toQuotas(stored.accountQuotas, stored.accountConcurrency),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    allowedTools: allowedTools && new Set(allowedTools),
    networks: allowedIps && toNetworks(allowedIps),
    rateLimits: rateLimits ?? [],
    concurrencyLimit,
    spendPeriod,
  };
}
