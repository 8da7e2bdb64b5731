import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytes, instant } from '../columns';

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
  /** The second factor is not confirmed yet: until then the session grants no access. */
  factorDue: boolean().notNull().default(false),
  /** Of the sign-in. */
  userAgent: text(),
  clientIp: text(),
  /** Written at most every few minutes. */
  lastUsedAt: instant(),
  /** Until when the session may download the person's data. */
  exportUntil: instant(),
});

/** A person's authenticator app, asked at sign-in after the email link or provider. */
export const secondFactors = pgTable(
  'second_factors',
  {
    userId: text()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The TOTP secret, sealed by the vault. */
    sealedSecret: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    /** Null until the first code proved that the app has the secret. */
    confirmedAt: instant(),
    /** The time step of the last accepted code: it and older ones are refused as replays. */
    lastStep: bigint({ mode: 'number' }),
    /** SHA-256 of the unused recovery codes, in hex. */
    recoveryHashes: text().array().notNull(),
  },
  () => [
    check(
      'second_factors_recovery_confirmed',
      sql`confirmed_at is not null or cardinality(recovery_hashes) = 0`,
    ),
  ],
);

/** Requested changes of a sign-in address. Tokens are stored as SHA-256. */
export const emailChanges = pgTable(
  'email_changes',
  {
    /** Of the link that the new address gets. */
    confirmHash: bytes().primaryKey(),
    /** Of the link that the old address gets, which stops or undoes the change. */
    undoHash: bytes().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The session that requested it: the only one that outlives the change. */
    sessionId: text().notNull(),
    oldEmail: text().notNull(),
    newEmail: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    confirmedAt: instant(),
    /** Stopped, undone, or replaced by a newer request. */
    endedAt: instant(),
  },
  (table) => [
    uniqueIndex('email_changes_undo').on(table.undoHash),
    index('email_changes_user').on(table.userId),
    index('email_changes_created').on(table.createdAt),
  ],
);

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
