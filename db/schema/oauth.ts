import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, instant, microusd } from '../columns';
import { accounts } from './accounts';
import { users } from './auth';
import { apiKeys } from './keys';

/**
 * OAuth applications: self-registered (RFC 7591), or identified by their client metadata document.
 */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    /** `oac_…`, or the https URL of its metadata document. */
    id: text().primaryKey(),
    /** The name it gives itself: untrusted text. */
    name: text().notNull(),
    redirectUris: text().array().notNull(),
    /** Its home page, as it claims. */
    uri: text(),
    /** SHA-256; null: a public client, protected only by PKCE. */
    secretHash: bytes(),
    /** When its document was last read; null: it registered. */
    documentReadAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    /** When a person last saw its consent page, or when it last received tokens. */
    lastUsedAt: instant().notNull().defaultNow(),
  },
  (table) => [index('oauth_clients_last_used').on(table.lastUsedAt)],
);

/**
 * An application that a person has connected. Its limits, spending and history are those of its
 * key.
 */
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
    /** Where the application was redirected to. */
    redirectUri: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('oauth_grants_key').on(table.keyId),
    index('oauth_grants_user').on(table.userId, table.clientId),
    index('oauth_grants_client').on(table.clientId),
  ],
);

/** Authorization codes, valid for one minute. Stored as the SHA-256 of the code. */
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
    /** The charged account: the person's own. */
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    redirectUri: text().notNull(),
    /** The PKCE challenge: base64url of the SHA-256 of the verifier. */
    challenge: text().notNull(),
    /** The spending limit; null: no limit of its own. */
    creditsMicrousd: microusd(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    /** The grant it was exchanged for. No reference: the grant may have been deleted. */
    grantId: text(),
  },
  (table) => [
    index('oauth_codes_expiry').on(table.expiresAt),
    index('oauth_codes_client').on(table.clientId),
    index('oauth_codes_user').on(table.userId),
    index('oauth_codes_account').on(table.accountId),
  ],
);

/** Tokens by their SHA-256. A used refresh token stays until it expires, to detect its reuse. */
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
    /** When a refresh token was exchanged for the next pair. */
    usedAt: instant(),
    /** The next pair is derived from this seed and the token itself, which is not stored. */
    successorSeed: bytes(),
  },
  (table) => [
    index('oauth_tokens_grant').on(table.grantId),
    index('oauth_tokens_expiry').on(table.expiresAt),
    check('oauth_tokens_kind_known', sql`kind in ('access', 'refresh')`),
  ],
);
