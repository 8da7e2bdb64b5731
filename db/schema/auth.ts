import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** People who sign in. Property names here and below are those that the next-auth adapter reads. */
export const users = pgTable('users', {
  id: text().primaryKey(),
  name: text(),
  email: text().notNull().unique(),
  emailVerified: timestamp({ withTimezone: true, mode: 'date' }),
  image: text(),
  /** The team that `billing: "team"` means, for whoever is in more than one. No reference: teams refer to people. */
  defaultTeamId: text(),
  createdAt: instant().notNull().defaultNow(),
});

/** Which sign-in at which provider is which person. Provider tokens are not kept: nothing here needs them. */
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

/** Browser sessions. sessionToken holds the SHA-256 of the cookie's token, never the token. */
export const sessions = pgTable('sessions', {
  sessionToken: text().primaryKey(),
  userId: text()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  expires: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  createdAt: instant().notNull().defaultNow(),
  /** The address that this sign-in has proved to be the person's; null where it proved none. */
  verifiedEmail: text(),
});

/** Mail links that wait to be used; next-auth stores their hash. */
export const verificationTokens = pgTable(
  'verification_tokens',
  {
    identifier: text().notNull(),
    token: text().notNull(),
    expires: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.identifier, table.token] })],
);
