import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytes, instant, microusd } from '../columns';
import { users } from './auth';
import { plans } from './plans';

/**
 * Billing accounts. Only the ledger and SQL functions change balance, held, debt and month_spent.
 */
export const accounts = pgTable(
  'accounts',
  {
    id: text().primaryKey(),
    type: text().$type<'provisional' | 'personal' | 'team'>().notNull(),
    name: text().notNull(),
    slug: text(),
    ownerUserId: text().references(() => users.id, { onDelete: 'restrict' }),
    balanceMicrousd: microusd().notNull().default(sql`0`),
    heldMicrousd: microusd().notNull().default(sql`0`),
    debtMicrousd: microusd().notNull().default(sql`0`),
    budgetLimitMicrousd: microusd(),
    /** Whether the managers get an email at 50, 80 and 100 % of the monthly limit. */
    budgetAlerts: boolean().notNull().default(true),
    /** This month's spending at which the next alert is due; null: no limit, or none is left. */
    budgetAlertAtMicrousd: microusd(),
    /** First day (UTC) of the month that month_spent counts. */
    monthStart: date({ mode: 'string' }),
    monthSpentMicrousd: microusd().notNull().default(sql`0`),
    autoReloadEnabled: boolean().notNull().default(false),
    reloadThresholdMicrousd: microusd().notNull().default(sql`5000000`),
    reloadAmountMicrousd: microusd().notNull().default(sql`20000000`),
    /** Limit of credit that auto-reload buys in 24 hours. */
    reloadDailyLimitMicrousd: microusd().notNull().default(sql`500000000`),
    /** Set by a call that left less than the threshold; cleared once auto-reload has decided. */
    reloadWantedAt: instant(),
    /** Consecutive declines; the third turns auto-reload off. */
    reloadFailures: smallint().notNull().default(0),
    /** After a decline: no new attempt before this time. */
    reloadNotBeforeAt: instant(),
    /** When declines or a cap turned it off; null once a person has turned it on again. */
    reloadStoppedAt: instant(),
    /** The reason; null for declines recorded before this column existed. */
    reloadStoppedReason: text().$type<'declined' | 'hourly_cap' | 'daily_cap' | 'daily_limit'>(),
    /** Falling below it emails the owner once and clears it until credit is added. */
    warnBelowMicrousd: microusd(),
    /**
     * When a dispute over one of its payments was opened; paid calls are blocked until it is
     * closed.
     */
    disputedAt: instant(),
    frozenAt: instant(),
    frozenReason: text(),
    /**
     * The claim token is an HMAC of id and nonce, so claim_url can be repeated; lookups use its
     * hash.
     */
    claimNonce: text(),
    claimTokenHash: bytes(),
    claimedAt: instant(),
    claimedByAccountId: text(),
    /**
     * Provisional, opened by the payment of a call: its keys may spend that credit on paid skills.
     */
    prepaid: boolean().notNull().default(false),
    planId: text().references(() => plans.id, { onDelete: 'restrict' }),
    /** The limits below are the account's alone; a change of its plan does not reach them. */
    ownLimits: boolean().notNull().default(false),
    /** Calls of each of its keys, in the order of CALL_WINDOWS; null: the gateway's limits. */
    callQuotas: integer().array(),
    concurrentCalls: integer(),
    assetQuotaMib: integer(),
    /** The highest monthly limit that it may set; it may then not be without one. */
    monthLimitMaxMicrousd: microusd(),
    closedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('accounts_slug_unique').on(table.slug),
    uniqueIndex('accounts_claim_token_hash_unique').on(table.claimTokenHash),
    uniqueIndex('accounts_one_personal_per_user').on(table.ownerUserId).where(sql`type = 'personal'`),
    index('accounts_reload_wanted').on(table.reloadWantedAt).where(sql`reload_wanted_at is not null`),
    index('accounts_plan').on(table.planId).where(sql`plan_id is not null`),
    index('accounts_unclaimed').on(table.createdAt).where(sql`type = 'provisional' and claimed_at is null`),
    check('accounts_type_known', sql`type in ('provisional', 'personal', 'team')`),
    check('accounts_held_within_balance', sql`balance_microusd >= held_microusd and held_microusd >= 0`),
    check('accounts_debt_not_negative', sql`debt_microusd >= 0`),
    check('accounts_debt_comes_first', sql`debt_microusd = 0 or balance_microusd = held_microusd`),
    check('accounts_month_spent_not_negative', sql`month_spent_microusd >= 0`),
    check('accounts_reload_in_range', sql`reload_threshold_microusd >= 0 and reload_amount_microusd > 0`),
    check(
      'accounts_limits_complete',
      sql`num_nulls(call_quotas, concurrent_calls, asset_quota_mib) in (0, 3)
        and (call_quotas is not null or not own_limits and month_limit_max_microusd is null)`,
    ),
    check(
      'accounts_month_limit_within_max',
      sql`month_limit_max_microusd is null or coalesce(budget_limit_microusd <= month_limit_max_microusd, false)`,
    ),
    check('accounts_provisional_has_no_owner', sql`(type = 'provisional') = (owner_user_id is null)`),
  ],
);

/** Members of accounts. The owner of a personal account is a member as well. */
export const memberships = pgTable(
  'memberships',
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text().$type<'owner' | 'admin' | 'member'>().notNull(),
    /** What calls of the member's own keys may cost the team in a month; null: no limit. */
    spendLimitMicrousd: microusd(),
    /** What calls admitted since `spendSince` cost or hold, in one month; 0 without a limit. */
    spendMicrousd: microusd().notNull().default(sql`0`),
    spendSince: instant(),
    /** The limit, or what was spent before it was set, if that is more. */
    spendCeilingMicrousd: microusd(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    index('memberships_user').on(table.userId),
    uniqueIndex('memberships_one_owner').on(table.accountId).where(sql`role = 'owner'`),
    check('memberships_role_known', sql`role in ('owner', 'admin', 'member')`),
    check(
      'memberships_spend_limit_complete',
      sql`num_nulls(spend_limit_microusd, spend_since, spend_ceiling_microusd) in (0, 3)`,
    ),
    check(
      'memberships_within_spend_limit',
      sql`spend_microusd >= 0 and (spend_limit_microusd is null or spend_microusd <= spend_ceiling_microusd)`,
    ),
  ],
);

/** Why auto-reload was turned off: declined charges, or one of its caps. */
export type StopReason = NonNullable<(typeof accounts.$inferSelect)['reloadStoppedReason']>;

export type ReloadCap = Exclude<StopReason, 'declined'>;
