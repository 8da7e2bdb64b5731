import { sql } from 'drizzle-orm';
import { check, json, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/**
 * The Ed25519 keys that sign receipts. Rows are never deleted: their public keys stay published, so
 * that old receipts can still be verified (docs/decisions/0062).
 */
export const receiptKeys = pgTable(
  'receipt_keys',
  {
    /** The RFC 7638 thumbprint of the public key. */
    kid: text().primaryKey(),
    publicJwk: json().notNull(),
    /** The private JWK, sealed; null once the key is retired. */
    sealed: text(),
    /** The vault key that sealed it, by which a rotation finds the remaining rows. */
    vaultKeyId: text(),
    createdAt: instant().notNull().defaultNow(),
    retiredAt: instant(),
  },
  () => [
    check('receipt_keys_retired_has_no_secret', sql`(retired_at is null) = (sealed is not null)`),
    check('receipt_keys_sealed_by', sql`(sealed is null) = (vault_key_id is null)`),
  ],
);
