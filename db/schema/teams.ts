import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../columns';
import { accounts } from './accounts';
import { users } from './auth';

/** Team invitations by email. Stores the SHA-256 of the token; only the email has the token. */
export const invitations = pgTable(
  'invitations',
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** In lower case; only a person who signed in with this address may accept. */
    email: text().notNull(),
    role: text().$type<'admin' | 'member'>().notNull(),
    tokenHash: bytes().notNull(),
    invitedBy: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    acceptedAt: instant(),
    revokedAt: instant(),
  },
  (table) => [
    uniqueIndex('invitations_token_hash_unique').on(table.tokenHash),
    uniqueIndex('invitations_one_open')
      .on(table.accountId, table.email)
      .where(sql`accepted_at is null and revoked_at is null`),
    index('invitations_email').on(table.email),
    check('invitations_role_known', sql`role in ('admin', 'member')`),
  ],
);
