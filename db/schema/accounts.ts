import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytes, instant, microusd } from '../columns';
import { users } from './auth';

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
    closedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('accounts_slug_unique').on(table.slug),
    uniqueIndex('accounts_claim_token_hash_unique').on(table.claimTokenHash),
    uniqueIndex('accounts_one_personal_per_user').on(table.ownerUserId).where(sql`type = 'personal'`),
    index('accounts_reload_wanted').on(table.reloadWantedAt).where(sql`reload_wanted_at is not null`),
    index('accounts_unclaimed').on(table.createdAt).where(sql`type = 'provisional' and claimed_at is null`),
    check('accounts_type_known', sql`type in ('provisional', 'personal', 'team')`),
    check('accounts_held_within_balance', sql`balance_microusd >= held_microusd and held_microusd >= 0`),
    check('accounts_debt_not_negative', sql`debt_microusd >= 0`),
    check('accounts_debt_comes_first', sql`debt_microusd = 0 or balance_microusd = held_microusd`),
    check('accounts_month_spent_not_negative', sql`month_spent_microusd >= 0`),
    check('accounts_reload_in_range', sql`reload_threshold_microusd >= 0 and reload_amount_microusd > 0`),
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
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    index('memberships_user').on(table.userId),
    uniqueIndex('memberships_one_owner').on(table.accountId).where(sql`role = 'owner'`),
    check('memberships_role_known', sql`role in ('owner', 'admin', 'member')`),
  ],
);

/** Why auto-reload was turned off: declined charges, or one of its caps. */
export type StopReason = NonNullable<(typeof accounts.$inferSelect)['reloadStoppedReason']>;

export type ReloadCap = Exclude<StopReason, 'declined'>;
