import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/**
 * Files that accounts uploaded and calls created. A row is inserted before its bytes (`stored_at`
 * is null until they are complete) and deleted after them: no bytes exist without a row, and
 * incomplete rows are not visible.
 */
export const assets = pgTable(
  'assets',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    /** The call that created it; null for an upload. */
    callId: text(),
    /** The key of the upload or call; null for the dashboard, and before this column existed. */
    keyId: text(),
    tool: text(),
    skill: text(),
    filename: text().notNull(),
    /** Detected from its first bytes, else as declared. `/files` serves only types it allows. */
    contentType: text().notNull(),
    /** The upper limit while it is being written. */
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    /** In hex; null while it is being written. */
    sha256: text(),
    blobKey: text().notNull(),
    /** Null if there is none (yet). */
    thumbnailKey: text(),
    thumbnailBytes: integer(),
    storedAt: instant(),
    /** From then on it is hidden, and its bytes are being removed. */
    deletedAt: instant(),
    /** When retention deletes it. */
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index('assets_account').on(table.accountId, table.id),
    index('assets_call').on(table.callId).where(sql`call_id is not null`),
    index('assets_expiry').on(table.expiresAt),
    index('assets_unfinished').on(table.createdAt).where(sql`stored_at is null or deleted_at is not null`),
    check('assets_size_not_negative', sql`size_bytes >= 0`),
    check('assets_stored_is_hashed', sql`(stored_at is null) = (sha256 is null)`),
  ],
);
