import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { bytes, instant, microusd } from '../columns';

/**
 * Requests sent with an Idempotency-Key, each with the first answer once there is one. A batch is part 0, its elements
 * parts 1 to 10: what of it has ended is not run again when the rest is.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: text().notNull(),
    key: text().notNull(),
    part: smallint().notNull(),
    /** SHA-256 of operation and body: the same key with another body is refused. */
    fingerprint: bytes().notNull(),
    /** The call it opens, where it opens one. */
    callId: text(),
    /** What a crash leaves of it may be run again instead of being answered as failed. */
    rerunnable: boolean().notNull(),
    /** The process that works on it, while its lease lasts. */
    fence: text().notNull(),
    leaseExpiresAt: instant().notNull(),
    /** The first answer: HTTP status and body. */
    status: integer(),
    reply: json(),
    /** Written into the body's usage.credits_remaining when the answer is given again. */
    availableMicrousd: microusd(),
    createdAt: instant().notNull(),
    finishedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.key, table.part] }),
    index('idempotency_keys_call').on(table.callId).where(sql`call_id is not null`),
    index('idempotency_keys_created').on(table.createdAt),
    check(
      'idempotency_keys_finished_has_reply',
      sql`(finished_at is not null) = (reply is not null and status is not null)`,
    ),
  ],
);
