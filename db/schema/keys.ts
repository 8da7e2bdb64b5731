import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, instant, microusd } from '../columns';
import { accounts } from './accounts';

/**
 * API keys with their exact counters: windows, slots and credit. Columns that change with a call
 * are not indexed, so that these updates stay heap-only.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    /**
     * The provisional account it was claimed from, so that a repeated claim gets the same response.
     */
    originAccountId: text(),
    /**
     * `playground`: a person's calls from the dashboard; `oauth`: calls of a connected application
     * (oauth_grants). Both have the limits of a key and a secret that is never disclosed.
     */
    kind: text().$type<'api' | 'playground' | 'oauth'>().notNull().default('api'),
    name: text().notNull(),
    /** May create keys, buy credit and change settings; false if its claim did not allow it. */
    managesAccount: boolean().notNull().default(true),
    keyHash: bytes().notNull(),
    mask: text().notNull(),
    /** The credit limit; null: no limit of its own. */
    creditsMicrousd: microusd(),
    creditsUsedMicrousd: microusd().notNull().default(sql`0`),
    creditsHeldMicrousd: microusd().notNull().default(sql`0`),
    /** The start of each rate-limit window, in the order of CALL_WINDOWS. */
    windowStartedAt: instant().array().notNull().default(sql`'{}'`),
    /**
     * The calls in each; null at places without a window. Write the whole array: on an empty one,
     * `window_used[2] = 7` gives `[2:2]={7}`, which JavaScript reads as `[7]`.
     */
    windowUsed: integer().array().notNull().default(sql`'{}'`),
    running: integer().notNull().default(0),
    /**
     * Grows with each change of the rules below and with each rotation. Admission compares it with
     * the version that the request was checked against.
     */
    rulesVersion: integer().notNull().default(0),
    expiresAt: instant(),
    /** The tools it may call: `tool`, or `tool.skill`; null: all. */
    allowedTools: text().array(),
    /** The networks it may be used from, as CIDR; null: all. */
    allowedIps: text().array(),
    /** Calls in each window, in the order of CALL_WINDOWS; NO_LIMIT: the account's limit. */
    rateLimits: integer().array(),
    /** Calls at once; null: the account's limit. */
    concurrencyLimit: integer(),
    /** The limits of the account, or null for the gateway's; trigger api_keys_follow_account. */
    accountQuotas: integer().array(),
    accountConcurrency: integer(),
    spendLimitMicrousd: microusd(),
    spendPeriod: text().$type<'day' | 'week' | 'month'>(),
    /** What calls admitted since `spendSince` cost or hold, in one calendar period (UTC). */
    spendMicrousd: microusd().notNull().default(sql`0`),
    spendSince: instant(),
    /** The limit, or what was spent before it was lowered, if that is more. */
    spendCeilingMicrousd: microusd(),
    tags: text().array().notNull().default(sql`'{}'`),
    /** The secret before the last rotation, valid until `previousExpiresAt`. */
    previousKeyHash: bytes(),
    previousExpiresAt: instant(),
    /**
     * Created by `usage seed`: its fictional calls are excluded from public and operator figures.
     */
    seeded: boolean().notNull().default(false),
    revokedAt: instant(),
    lastUsedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('api_keys_hash_unique').on(table.keyHash),
    uniqueIndex('api_keys_previous_hash_unique')
      .on(table.previousKeyHash)
      .where(sql`previous_key_hash is not null`),
    uniqueIndex('api_keys_one_playground').on(table.accountId).where(sql`kind = 'playground'`),
    index('api_keys_account').on(table.accountId, table.id),
    index('api_keys_seeded').on(table.id).where(sql`seeded`),
    index('api_keys_origin').on(table.originAccountId).where(sql`origin_account_id is not null`),
    check('api_keys_kind_known', sql`kind in ('api', 'playground', 'oauth')`),
    check('api_keys_credits_not_negative', sql`credits_microusd is null or credits_microusd >= 0`),
    check('api_keys_used_not_negative', sql`credits_used_microusd >= 0 and credits_held_microusd >= 0`),
    check(
      'api_keys_within_credits',
      sql`credits_microusd is null or credits_used_microusd + credits_held_microusd <= credits_microusd`,
    ),
    check(
      'api_keys_spend_limit_complete',
      sql`num_nulls(spend_limit_microusd, spend_period, spend_since, spend_ceiling_microusd) in (0, 4)
        and spend_period in ('day', 'week', 'month')`,
    ),
    check(
      'api_keys_within_spend_limit',
      sql`spend_microusd >= 0 and (spend_limit_microusd is null or spend_microusd <= spend_ceiling_microusd)`,
    ),
    check('api_keys_rotation_complete', sql`(previous_key_hash is null) = (previous_expires_at is null)`),
    check('api_keys_running_not_negative', sql`running >= 0`),
  ],
);

/**
 * Fixed windows of subjects without a key: a keyed hash of the client address for provisioning and
 * registration, the id of the grant or person for refreshing and for reading client documents.
 */
export const rateWindows = pgTable(
  'rate_windows',
  {
    scope: text().notNull(),
    subject: text().notNull(),
    startedAt: instant().notNull(),
    used: integer().notNull(),
  },
  (table) => [uniqueIndex('rate_windows_unique').on(table.scope, table.subject)],
);
