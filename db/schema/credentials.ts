import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, json, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns';
import { accounts } from './accounts';

/** Provider keys that accounts have saved, sealed by the vault with account, slot and version (contract section 8). */
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
    /** Of the key it is sealed with: what a rotation has still to do is found by it. */
    vaultKeyId: text().notNull(),
    /** Rises whenever the value is replaced; part of what is sealed, so that an old value cannot be put back. */
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

/** What a queued call has beside its job, until it ends: then a trigger on `jobs` removes it. */
export const queuedCallStates = pgTable('queued_call_states', {
  callId: text().primaryKey(),
  /** The provider that was chosen, and the client's own key for it, sealed; null where it needs none. */
  slot: text(),
  source: text().$type<'header' | 'saved' | 'platform'>(),
  sealedKey: text(),
  /** What its handler saved for the attempt after a crash. */
  checkpoint: json(),
  createdAt: instant().notNull().defaultNow(),
});
