import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/**
 * Refused calls per account of the key and minute. Written after the responses: a process that
 * crashes loses those of its last second.
 */
export const refusalMinutes = pgTable(
  'refusal_minutes',
  {
    accountId: text().notNull(),
    minute: instant().notNull(),
    /** Empty for the playground before its key exists, and for what exceeds the bounds. */
    keyId: text().notNull(),
    code: text().notNull(),
    /** The `limit` of the error, such as `minute` or `key`; empty for other errors. */
    limitName: text().notNull(),
    /** Empty if no tool has the name that the call gave. */
    tool: text().notNull(),
    refused: integer().notNull(),
    lastAt: instant().notNull(),
    /** When the same call may be admitted; null if time alone does not help. */
    retryAt: instant(),
    /** The rules of the key that refused: with later ones, the refusal may not hold any more. */
    rulesVersion: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: 'refusal_minutes_pk',
      columns: [table.accountId, table.minute, table.keyId, table.code, table.limitName, table.tool],
    }),
    index('refusal_minutes_key').on(table.keyId, table.lastAt),
    // Few rows are in the future: those of limits that still refuse.
    index('refusal_minutes_retry').on(table.accountId, table.retryAt).where(sql`retry_at is not null`),
    // For the sweep and the operator, who read all accounts.
    index('refusal_minutes_minute').using('brin', table.minute).with({ autosummarize: true }),
    check('refusal_minutes_refused_positive', sql`refused > 0`),
  ],
);

/** The last refused calls of each account. Contains no input and no secret. */
export const refusals = pgTable(
  'refusals',
  {
    accountId: text().notNull(),
    id: text().notNull(),
    keyId: text().notNull(),
    at: instant().notNull(),
    requestId: text().notNull(),
    /** Personal data: deleted with the account. */
    clientAddress: text(),
    /** As the call named them, cut. */
    tool: text().notNull(),
    skill: text().notNull(),
    code: text().notNull(),
    message: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('refusals_at').using('brin', table.at).with({ autosummarize: true }),
  ],
);
