import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, json, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns';
import { accounts } from './accounts';

/** URLs that receive an account's events. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    description: text(),
    /** The event types that are sent to it. */
    events: text().array().notNull(),
    disabledAt: instant(),
    disabledReason: text().$type<'manual' | 'failing' | 'gone'>(),
    /** The first of the failures without a success since; null after a success. */
    failingSince: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index('webhook_endpoints_account').on(table.accountId, table.id),
    check('webhook_endpoints_reason', sql`(disabled_at is null) = (disabled_reason is null)`),
  ],
);

/**
 * Signing secrets, encrypted with their holder as context. The holder is an endpoint, or the key
 * of calls with a `webhook`.
 */
export const webhookSecrets = pgTable(
  'webhook_secrets',
  {
    holderId: text().primaryKey(),
    sealed: text().notNull(),
    /** Also signs until it expires, so that a receiver can change to the new secret. */
    previousSealed: text(),
    previousExpiresAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  () => [
    check('webhook_secrets_previous_expires', sql`(previous_sealed is null) = (previous_expires_at is null)`),
  ],
);

/**
 * One event for one receiver, written in the transaction of what it reports, and its place in the
 * queue of deliveries.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    /** The endpoint, or the key of a call with a `webhook`: whose secret signs. */
    holderId: text().notNull(),
    /** The URL of a call's `webhook`; null: the endpoint's current URL. */
    url: text(),
    /** The `webhook-id`: the same for each receiver of the event, and for each attempt. */
    eventId: text().notNull(),
    type: text().notNull(),
    payload: json().notNull(),
    state: text().$type<'pending' | 'delivered' | 'failed'>().notNull().default('pending'),
    /** Since the delivery was created or replayed; the log has all. */
    attempts: integer().notNull().default(0),
    /** How often it was replayed, which is limited. */
    replays: integer().notNull().default(0),
    /** When it is due; null once it has ended. */
    nextAttemptAt: instant().defaultNow(),
    /** No attempt is made after this time. */
    expiresAt: instant().notNull(),
    /** When it is taken from the queue; null while others to its receiver come first. */
    queuedAt: instant(),
    /** A process is sending it until then. */
    leaseExpiresAt: instant(),
    /** The outcome of the last attempt: a status, or why there was none. */
    lastStatus: integer(),
    lastError: text(),
    createdAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_event_unique').on(table.holderId, table.eventId),
    index('webhook_deliveries_holder').on(table.holderId, table.id),
    index('webhook_deliveries_account').on(table.accountId),
    index('webhook_deliveries_created').on(table.createdAt),
    index('webhook_deliveries_due').on(table.nextAttemptAt).where(sql`state = 'pending'`),
    index('webhook_deliveries_pending').on(table.holderId, table.nextAttemptAt).where(sql`state = 'pending'`),
    index('webhook_deliveries_queued').on(table.queuedAt).where(sql`queued_at is not null`),
    index('webhook_deliveries_queued_account')
      .on(table.accountId, table.queuedAt)
      .where(sql`queued_at is not null`),
    index('webhook_deliveries_leased').on(table.accountId).where(sql`lease_expires_at is not null`),
    check('webhook_deliveries_state_known', sql`state in ('pending', 'delivered', 'failed')`),
    check('webhook_deliveries_pending_is_due', sql`(state = 'pending') = (next_attempt_at is not null)`),
    check('webhook_deliveries_ended', sql`(state = 'pending') = (finished_at is null)`),
  ],
);

/** Each request of a delivery and its response, without the signature. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    deliveryId: text()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    requestHeaders: json().$type<Record<string, string>>().notNull(),
    status: integer(),
    /** The first 2 KiB. */
    responseBody: text(),
    error: text(),
    durationMs: integer().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [index('webhook_attempts_delivery').on(table.deliveryId, table.id)],
);
