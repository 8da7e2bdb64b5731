import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** People who sign in. Property names in this file are those of the next-auth adapter. */
export const users = pgTable('users', {
  id: text().primaryKey(),
  name: text(),
  email: text().notNull().unique(),
  emailVerified: timestamp({ withTimezone: true, mode: 'date' }),
  image: text(),
  /** The team of `billing: "team"` for members of several. No reference: teams refer to users. */
  defaultTeamId: text(),
  createdAt: instant().notNull().defaultNow(),
});

/**
 * Sign-ins at providers and their users. Provider tokens are not stored, because none is needed.
 */
export const identities = pgTable(
  'identities',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text().notNull(),
    provider: text().notNull(),
    providerAccountId: text().notNull(),
    refresh_token: text(),
    access_token: text(),
    expires_at: integer(),
    token_type: text(),
    scope: text(),
    id_token: text(),
    session_state: text(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerAccountId] })],
);

/** Browser sessions. sessionToken is the SHA-256 of the cookie's token, never the token. */
export const sessions = pgTable('sessions', {
  sessionToken: text().primaryKey(),
  userId: text()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  expires: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  createdAt: instant().notNull().defaultNow(),
  /** The email address that this sign-in has verified; null if none. */
  verifiedEmail: text(),
});

/** Sign-in links that are not used yet; next-auth stores their hash. */
export const verificationTokens = pgTable(
  'verification_tokens',
  {
    identifier: text().notNull(),
    token: text().notNull(),
    expires: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.identifier, table.token] })],
);
