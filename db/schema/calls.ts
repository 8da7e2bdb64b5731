import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

/**
 * Running calls with their hold, slot and lease. A closed call moves to usage_records, so this
 * table stays small. No foreign keys: each would lock a hot row on every call
 * (docs/decisions/0004).
 */
export const calls = pgTable(
  'calls',
  {
    id: text().primaryKey(),
    keyId: text().notNull(),
    accountId: text().notNull(),
    /** `personal`, or the slug of the charged team. */
    billing: text().notNull(),
    tool: text().notNull(),
    skill: text().notNull(),
    holdMicrousd: microusd().notNull(),
    /** Identifies the process that opened the call and may close it while its lease lasts. */
    fence: text().notNull(),
    leaseExpiresAt: instant().notNull(),
    createdAt: instant().notNull(),
    /** As of usage_records; a batch shares one. */
    requestId: text(),
    clientAddress: text(),
  },
  (table) => [
    // Those in the queue, in the order in which they are taken. Other calls do not enter it.
    index('calls_queued').on(table.leaseExpiresAt).where(sql`fence = 'queue'`),
    // The same of each account, for a turn of each.
    index('calls_queued_account').on(table.accountId, table.leaseExpiresAt).where(sql`fence = 'queue'`),
    // Those that were lost with their process twice: one at a time runs, alone.
    index('calls_lost').on(table.accountId, table.leaseExpiresAt).where(sql`fence = 'alone'`),
    check('calls_hold_not_negative', sql`hold_microusd >= 0`),
  ],
);

/**
 * Completed calls, one row each, changed only by a claim and by the deletion of an account, which
 * removes the client addresses and error messages. Contains no input, output or secret.
 * Partitioned by the month of created_at, which Drizzle cannot express (docs/decisions/0011).
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
    /**
     * Of the request that made the call: empty if it follows from the call's id, null for calls of
     * earlier releases.
     */
    requestId: text(),
    /** Personal data: removed when the account of the key is deleted. */
    clientAddress: text(),
    /** Of a failure, as its caller got it: bounded and redacted. Removed like the address. */
    errorMessage: text(),
    /** The most that the call could cost; null if it cost that, or in earlier releases. */
    holdMicrousd: bigint({ mode: 'bigint' }),
  },
  (table) => [
    // created_at is included only because of the partitions; the id alone is unique.
    primaryKey({ columns: [table.accountId, table.id, table.createdAt] }),
    index('usage_records_key').on(table.keyId, table.id),
    // For lists of one tool's calls and of failed calls: without them a rare match reads a million
    // rows.
    index('usage_records_tool').on(table.accountId, table.tool, table.id),
    index('usage_records_failed').on(table.accountId, table.id).where(sql`status = 'error'`),
    // Large partitions of an upgraded database get it from the sweep (docs/decisions/0067).
    index('usage_records_request')
      .on(table.accountId, table.requestId, table.id)
      .where(sql`request_id <> ''`),
    check('usage_records_status_known', sql`status in ('success', 'error')`),
    check(
      'usage_records_failure_is_free',
      sql`status = 'success' or raw_cost_microusd + markup_microusd = 0`,
    ),
    check('usage_records_cost_not_negative', sql`raw_cost_microusd >= 0 and markup_microusd >= 0`),
  ],
);

/** Sums per account, hour, key and tool; the source of usage reports. */
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
     * Failed calls that are not the tool's fault: invalid input, cancelled, or the caller's BYOK
     * key.
     */
    refused: integer().notNull().default(0),
    byokCalls: integer().notNull(),
    rawCostMicrousd: microusd().notNull(),
    markupMicrousd: microusd().notNull(),
    latencyMsSum: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.hour, table.keyId, table.tool] }),
    // For the sweep, which reads the last hours of all accounts. BRIN: no measurable cost per call.
    index('usage_rollups_hour').using('brin', table.hour).with({ autosummarize: true }),
  ],
);

/**
 * Roll-ups of past hours by day (UTC), a twenty-fourth of the rows. `retention_marks` says which
 * hours are included. The sweep adds them, and rows are retained as long as their roll-ups.
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
    refused: integer().notNull().default(0),
    byokCalls: integer().notNull(),
    rawCostMicrousd: microusd().notNull(),
    markupMicrousd: microusd().notNull(),
    latencyMsSum: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.keyId, table.tool] })],
);
