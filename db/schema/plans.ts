import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

/** Limits that operators assign to accounts. An account has a copy of them in its own columns. */
export const plans = pgTable(
  'plans',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** Calls of a key in each window, in the order of CALL_WINDOWS. */
    callQuotas: integer().array().notNull(),
    /** Calls of a key at once. */
    concurrentCalls: integer().notNull(),
    assetQuotaMib: integer().notNull(),
    /** The highest monthly limit that an account may set; null: any, or none. */
    monthLimitMaxMicrousd: microusd(),
    /** The operator's name in the audit log. */
    createdBy: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('plans_name_unique').on(sql`lower(${table.name})`),
    check(
      'plans_limits_positive',
      sql`0 < all (call_quotas) and concurrent_calls > 0 and asset_quota_mib > 0 and month_limit_max_microusd > 0`,
    ),
  ],
);
