import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, instant, microusd } from '../columns';
import { accounts } from './accounts';

/**
 * API keys, with what must be exact about them: windows, slots and allowance. None of the columns that change
 * with a call is indexed, so that those updates stay heap-only.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    /** The provisional account it was claimed from, so that a claim can be answered again. */
    originAccountId: text(),
    /**
     * `playground`: a person's own calls from the dashboard; `oauth`: those of an application they let in (oauth_grants).
     * Both with the limits of a key and a secret nobody has.
     */
    kind: text().$type<'api' | 'playground' | 'oauth'>().notNull().default('api'),
    name: text().notNull(),
    /**
     * Whether it may create keys, buy credit and change settings: false where its claim did not
     * allow that.
     */
    managesAccount: boolean().notNull().default(true),
    keyHash: bytes().notNull(),
    mask: text().notNull(),
    /** All that was ever allowed to it; null: no limit of its own. */
    creditsMicrousd: microusd(),
    creditsUsedMicrousd: microusd().notNull().default(sql`0`),
    creditsHeldMicrousd: microusd().notNull().default(sql`0`),
    minuteStartedAt: instant(),
    minuteUsed: integer().notNull().default(0),
    hourStartedAt: instant(),
    hourUsed: integer().notNull().default(0),
    running: integer().notNull().default(0),
    /**
     * Made by `usage seed`: its calls are made up, and count in no public figure and in no sum of
     * the operator.
     */
    seeded: boolean().notNull().default(false),
    revokedAt: instant(),
    lastUsedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('api_keys_hash_unique').on(table.keyHash),
    uniqueIndex('api_keys_one_playground').on(table.accountId).where(sql`kind = 'playground'`),
    index('api_keys_account').on(table.accountId, table.id),
    index('api_keys_seeded').on(table.id).where(sql`seeded`),
    index('api_keys_origin').on(table.originAccountId).where(sql`origin_account_id is not null`),
    check('api_keys_kind_known', sql`kind in ('api', 'playground', 'oauth')`),
    check('api_keys_credits_not_negative', sql`credits_microusd is null or credits_microusd >= 0`),
    check('api_keys_used_not_negative', sql`credits_used_microusd >= 0 and credits_held_microusd >= 0`),
    check(
      'api_keys_within_credits',
      sql`credits_microusd is null or credits_used_microusd + credits_held_microusd <= credits_microusd`,
    ),
    check('api_keys_running_not_negative', sql`running >= 0 and minute_used >= 0 and hour_used >= 0`),
  ],
);

/**
 * Fixed windows of things that have no key: provisioning and registering by client address, whose subject is a keyed hash;
 * refreshing and reading of client documents, whose subject is the id of the grant or person.
 */
export const rateWindows = pgTable(
  'rate_windows',
  {
    scope: text().notNull(),
    subject: text().notNull(),
    startedAt: instant().notNull(),
    used: integer().notNull(),
  },
  (table) => [uniqueIndex('rate_windows_unique').on(table.scope, table.subject)],
);
