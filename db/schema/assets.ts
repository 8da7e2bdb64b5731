import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/**
 * Files that accounts uploaded and calls made. A row is written before its bytes and says so (`stored_at` is null until
 * they are whole); it goes after them: no bytes without a row, and nobody sees a row without bytes.
 */
export const assets = pgTable(
  'assets',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    /** Of the call that made it; null for an upload. */
    callId: text(),
    tool: text(),
    skill: text(),
    filename: text().notNull(),
    /** By the beginning of its bytes, else as it was declared: what `/files` may serve is decided from it. */
    contentType: text().notNull(),
    /** While it is written: what may come at most. */
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    /** Hex; null while it is written. */
    sha256: text(),
    blobKey: text().notNull(),
    /** Null where there is none (yet). */
    thumbnailKey: text(),
    thumbnailBytes: integer(),
    storedAt: instant(),
    /** From now on nobody sees it: its bytes are being removed. */
    deletedAt: instant(),
    /** When retention takes it. */
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
