import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, instant, microusd } from '../columns';
import { accounts } from './accounts';
import { users } from './auth';
import { apiKeys } from './keys';

/** Applications that ask people for access: registered by themselves (RFC 7591), or known by their own document. */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    /** `oac_…`, or the https address of its metadata document. */
    id: text().primaryKey(),
    /** What it calls itself: untrusted text. */
    name: text().notNull(),
    redirectUris: text().array().notNull(),
    /** Its home page, as it says. */
    uri: text(),
    /** SHA-256; null: a public client, which PKCE alone protects. */
    secretHash: bytes(),
    /** When its document was read last; null: it registered. */
    documentReadAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    /** When somebody was last asked for it or it was last given tokens. */
    lastUsedAt: instant().notNull().defaultNow(),
  },
  (table) => [index('oauth_clients_last_used').on(table.lastUsedAt)],
);

/** An application that a person has let in: its limits, its spending and its history are those of its key. */
export const oauthGrants = pgTable(
  'oauth_grants',
  {
    id: text().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => oauthClients.id, { onDelete: 'restrict' }),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    keyId: text()
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'restrict' }),
    /** Where the application was sent back to. */
    redirectUri: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('oauth_grants_key').on(table.keyId),
    index('oauth_grants_user').on(table.userId, table.clientId),
    index('oauth_grants_client').on(table.clientId),
  ],
);

/** What a person allowed, until the application fetches it: a minute. Stored by the SHA-256 of the code. */
export const oauthCodes = pgTable(
  'oauth_codes',
  {
    codeHash: bytes().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => oauthClients.id, { onDelete: 'cascade' }),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Whose money is spent: the person's own. */
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    redirectUri: text().notNull(),
    /** Of PKCE: base64url of the SHA-256 of the verifier. */
    challenge: text().notNull(),
    /** The most that it may spend; null: no limit of its own. */
    creditsMicrousd: microusd(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    /** What it was exchanged for. No reference: that may have ended since. */
    grantId: text(),
  },
  (table) => [
    index('oauth_codes_expiry').on(table.expiresAt),
    index('oauth_codes_client').on(table.clientId),
    index('oauth_codes_user').on(table.userId),
    index('oauth_codes_account').on(table.accountId),
  ],
);

/** Access and refresh tokens, by their SHA-256. A used refresh token stays until it expires, to be known when it comes again. */
export const oauthTokens = pgTable(
  'oauth_tokens',
  {
    tokenHash: bytes().primaryKey(),
    grantId: text()
      .notNull()
      .references(() => oauthGrants.id, { onDelete: 'cascade' }),
    kind: text().$type<'access' | 'refresh'>().notNull(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    /** Of a refresh token: when it was exchanged for the next pair. */
    usedAt: instant(),
    /** What the next pair was made from, together with the token itself, which is nowhere here. */
    successorSeed: bytes(),
  },
  (table) => [
    index('oauth_tokens_grant').on(table.grantId),
    index('oauth_tokens_expiry').on(table.expiresAt),
    check('oauth_tokens_kind_known', sql`kind in ('access', 'refresh')`),
  ],
);
