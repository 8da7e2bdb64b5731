import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';
import { accounts } from './accounts';

/**
 * The accounts that store the contents of their calls, or did and still have some to delete
 * (docs/decisions/0067).
 */
export const callContentSettings = pgTable(
  'call_content_settings',
  {
    accountId: text()
      .primaryKey()
      .references(() => accounts.id),
    /** Days that contents are stored; null once the account has opted out. */
    days: integer(),
    /** Contents of calls before this time are not readable, and the sweep deletes them. */
    enabledAt: instant().notNull(),
    /** Sum of `bytes` of the account's rows in `call_contents`. */
    storedBytes: bigint({ mode: 'number' }).notNull().default(0),
  },
  () => [
    check('call_content_settings_days_positive', sql`days > 0`),
    check('call_content_settings_bytes_not_negative', sql`stored_bytes >= 0`),
  ],
);

/** Input, output and log of ended calls, sealed as one value. */
export const callContents = pgTable(
  'call_contents',
  {
    callId: text().primaryKey(),
    /** The charged account, which has opted in. */
    accountId: text().notNull(),
    keyId: text().notNull(),
    sealed: text().notNull(),
    /** The vault key that sealed it, by which a rotation finds the remaining rows. */
    vaultKeyId: text().notNull(),
    bytes: integer().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('call_contents_account').on(table.accountId, table.createdAt),
    check('call_contents_bytes_positive', sql`bytes > 0`),
  ],
);

/** Accounts that were deleted: the sweep removes the client addresses of their calls. */
export const addressRemovals = pgTable('address_removals', {
  accountId: text().primaryKey(),
  /** The last call that was processed, in the order of key and call. */
  keyId: text().notNull().default(''),
  callId: text().notNull().default(''),
  createdAt: instant().notNull().defaultNow(),
});
