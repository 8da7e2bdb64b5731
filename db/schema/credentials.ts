import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, json, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns';
import { accounts } from './accounts';

/**
 * Saved provider keys, encrypted with account, slot and version as context (contract section 8).
 */
export const credentials = pgTable(
  'credentials',
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The provider: `openai`, … */
    slot: text().notNull(),
    label: text().notNull(),
    isDefault: boolean().notNull(),
    sealed: text().notNull(),
    /** The encryption key in use, by which a rotation finds the remaining rows. */
    vaultKeyId: text().notNull(),
    /** Incremented with each new value; part of the encryption context, which prevents rollback. */
    version: integer().notNull(),
    mask: text().notNull(),
    lastUsedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('credentials_label_unique').on(table.accountId, table.slot, table.label),
    uniqueIndex('credentials_one_default').on(table.accountId, table.slot).where(sql`is_default`),
    index('credentials_vault_key').on(table.vaultKeyId),
    check('credentials_version_positive', sql`version > 0`),
  ],
);

/** State of a queued call until it completes; then a trigger on `jobs` deletes it. */
export const queuedCallStates = pgTable('queued_call_states', {
  callId: text().primaryKey(),
  /** The chosen provider, and the client's own key for it, encrypted; null if it needs none. */
  slot: text(),
  source: text().$type<'header' | 'saved' | 'platform'>(),
  sealedKey: text(),
  /** Saved by its handler for an attempt after a crash. */
  checkpoint: json(),
  /** Its unit prices; null for a call that an older release queued. */
  prices: json(),
  createdAt: instant().notNull().defaultNow(),
});
