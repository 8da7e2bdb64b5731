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
 * Requests with an Idempotency-Key, with the first response once there is one. A batch is part 0
 * and its elements are parts 1 to 10: completed elements do not run again with the others.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: text().notNull(),
    key: text().notNull(),
    part: smallint().notNull(),
    /** SHA-256 of operation and body: the same key with a different request is rejected. */
    fingerprint: bytes().notNull(),
    /** The call that it opens, if any. */
    callId: text(),
    /** Whether it may run again after a crash, instead of being answered with a failure. */
    rerunnable: boolean().notNull(),
    /**
     * The run that owns the record while its lease lasts: a random value per run, not the process.
     */
    fence: text().notNull(),
    leaseExpiresAt: instant().notNull(),
    /** The first response: HTTP status and body. */
    status: integer(),
    reply: json(),
    /** Written into the body's usage.credits_remaining when the response is replayed. */
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
