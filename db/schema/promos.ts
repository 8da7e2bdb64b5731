import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

/** Codes that grant credit to those who redeem them. */
export const promoCodes = pgTable(
  'promo_codes',
  {
    id: text().primaryKey(),
    /** In upper case. Shown in full to operators, and in the statement of those who redeemed it. */
    code: text().notNull(),
    amountMicrousd: microusd().notNull(),
    maxRedemptions: integer().notNull(),
    redeemed: integer().notNull().default(0),
    expiresAt: instant(),
    /** Only for people who signed up after the code was created. */
    newPeopleOnly: boolean().notNull().default(false),
    /** For operators. */
    note: text().notNull(),
    createdBy: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    deactivatedAt: instant(),
  },
  (table) => [
    uniqueIndex('promo_codes_code_unique').on(table.code),
    check('promo_codes_code_upper', sql`code = upper(code)`),
    check('promo_codes_amount_positive', sql`amount_microusd > 0`),
    check('promo_codes_within_redemptions', sql`redeemed between 0 and max_redemptions`),
  ],
);

/** Redemptions: one per code and person, and one per code and inbox. */
export const promoRedemptions = pgTable(
  'promo_redemptions',
  {
    id: text().primaryKey(),
    promoId: text()
      .notNull()
      .references(() => promoCodes.id, { onDelete: 'restrict' }),
    /** No reference: another account of a deleted person must not redeem the code again. */
    userId: text().notNull(),
    accountId: text().notNull(),
    /** A keyed hash of the verified inbox, without plus suffix, and without dots at Gmail. */
    inboxHash: text().notNull(),
    amountMicrousd: microusd().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('promo_redemptions_once_per_person').on(table.promoId, table.userId),
    uniqueIndex('promo_redemptions_once_per_inbox').on(table.promoId, table.inboxHash),
    index('promo_redemptions_promo').on(table.promoId, table.id),
  ],
);
