import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

/**
 * Calls that run now, each with its hold, slot and lease. A closed call leaves this table for usage_records, so it
 * stays as small as what is running. No foreign keys: each would lock a hot row on every call (docs/decisions/0004).
 */
export const calls = pgTable(
  'calls',
  {
    id: text().primaryKey(),
    keyId: text().notNull(),
    accountId: text().notNull(),
    /** `personal`, or the slug of the team that is charged. */
    billing: text().notNull(),
    tool: text().notNull(),
    skill: text().notNull(),
    holdMicrousd: microusd().notNull(),
    /** Who may close it: the process that opened it, while its lease lasts. */
    fence: text().notNull(),
    leaseExpiresAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  () => [check('calls_hold_not_negative', sql`hold_microusd >= 0`)],
);

/**
 * Calls that ended: the history, one row each, never changed but by a claim. Holds no input, output or secret. In the
 * database partitioned by the month of created_at, which Drizzle cannot say (docs/decisions/0011).
 */
export const usageRecords = pgTable(
  'usage_records',
  {
    accountId: text().notNull(),
    id: text().notNull(),
    keyId: text().notNull(),
    billing: text().notNull(),
    tool: text().notNull(),
    skill: text().notNull(),
    status: text().$type<'success' | 'error'>().notNull(),
    rawCostMicrousd: microusd().notNull(),
    markupMicrousd: microusd().notNull(),
    byok: boolean().notNull(),
    latencyMs: integer().notNull(),
    errorCode: text(),
    jobId: text(),
    createdAt: instant().notNull(),
    finishedAt: instant().notNull(),
  },
  (table) => [
    // The instant is in it only because each month has its own: an id is one call's.
    primaryKey({ columns: [table.accountId, table.id, table.createdAt] }),
    index('usage_records_key').on(table.keyId, table.id),
    // Both for the lists of one tool's calls and of those that failed: without them a million rows are read for a rare one.
    index('usage_records_tool').on(table.accountId, table.tool, table.id),
    index('usage_records_failed').on(table.accountId, table.id).where(sql`status = 'error'`),
    check('usage_records_status_known', sql`status in ('success', 'error')`),
    check(
      'usage_records_failure_is_free',
      sql`status = 'success' or raw_cost_microusd + markup_microusd = 0`,
    ),
    check('usage_records_cost_not_negative', sql`raw_cost_microusd >= 0 and markup_microusd >= 0`),
  ],
);

/** Sums per account, hour, key and tool; what usage is answered from. */
export const usageRollups = pgTable(
  'usage_rollups',
  {
    accountId: text().notNull(),
    hour: instant().notNull(),
    keyId: text().notNull(),
    tool: text().notNull(),
    calls: integer().notNull(),
    failed: integer().notNull(),
    /**
     * Of the failed ones those that are not the tool's: bad input, a cancel, the caller's own
     * provider key.
     */
    refused: integer().notNull().default(0),
    byokCalls: integer().notNull(),
    rawCostMicrousd: microusd().notNull(),
    markupMicrousd: microusd().notNull(),
    latencyMsSum: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.hour, table.keyId, table.tool] }),
    // For the sweep, which asks for the last hours of all accounts. A call does not feel it: a page of hours is an entry.
    index('usage_rollups_hour').using('brin', table.hour).with({ autosummarize: true }),
  ],
);

/**
 * The roll-ups of hours that are over, summed up by the day (UTC): a month is a twenty-fourth of the rows. Which hours are in
 * it says `retention_marks`; the sweep adds them, and rows live as long as the roll-ups they were made of.
 */
export const usageDays = pgTable(
  'usage_days',
  {
    accountId: text().notNull(),
    day: instant().notNull(),
    keyId: text().notNull(),
    tool: text().notNull(),
    calls: integer().notNull(),
    failed: integer().notNull(),
    byokCalls: integer().notNull(),
    rawCostMicrousd: microusd().notNull(),
    markupMicrousd: microusd().notNull(),
    latencyMsSum: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.keyId, table.tool] })],
);
