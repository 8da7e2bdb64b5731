import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';
import { accounts } from './accounts';

/**
 * Stripe's live or test mode, the fake Stripe (`fake`), the sandbox of machine payments, or an
 * x402 facilitator.
 */
export type PaymentMode = 'live' | 'test' | 'fake' | 'sandbox' | 'x402';

/**
 * An account's customer and saved card at the provider, per mode: ids of one are invalid in others.
 */
export const paymentProfiles = pgTable(
  'payment_profiles',
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    mode: text().$type<PaymentMode>().notNull(),
    customerId: text().notNull(),
    /** The saved card for auto-reload; null: none. */
    paymentMethodId: text(),
    cardBrand: text(),
    cardLast4: text(),
    cardExpMonth: smallint(),
    cardExpYear: smallint(),
    /** Sequence number of the last applied card snapshot; older snapshots are ignored. */
    ticket: bigint({ mode: 'bigint' }).notNull().default(sql`0`),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.mode] }),
    uniqueIndex('payment_profiles_customer_unique').on(table.mode, table.customerId),
  ],
);

/**
 * Purchases, written before the provider is called: by a checkout, an auto-reload or a machine
 * top-up. The credited amount comes from here, never from a provider's object or a request.
 */
export const orders = pgTable(
  'orders',
  {
    id: text().primaryKey(),
    kind: text().$type<'checkout' | 'reload' | 'machine'>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    /** The buyer's name in the audit log. */
    createdBy: text().notNull(),
    creditsMicrousd: microusd().notNull(),
    feeMicrousd: microusd().notNull(),
    totalCents: integer().notNull(),
    /** The buyer agreed that the card is saved for auto-reload. */
    saveCard: boolean().notNull().default(false),
    status: text().$type<'open' | 'paid' | 'failed' | 'expired'>().notNull().default('open'),
    /** The provider's payment, once known. */
    paymentId: text(),
    failureCode: text(),
    /** Only of a checkout. */
    sessionId: text(),
    /** Only of a reload: what is charged, the same for every attempt. */
    customerId: text(),
    paymentMethodId: text(),
    attempts: integer().notNull().default(0),
    fence: text(),
    leaseExpiresAt: instant(),
    /** Only of a machine top-up. */
    keyId: text(),
    challengeId: text(),
    /** Only of x402, until it is settled: the signed authorization, sealed, to settle it again. */
    sealedPayment: text(),
    /** Until when a checkout or machine top-up can be paid. */
    expiresAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
  },
  (table) => [
    uniqueIndex('orders_one_open_reload').on(table.accountId).where(sql`kind = 'reload' and status = 'open'`),
    uniqueIndex('orders_session_unique').on(table.sessionId),
    uniqueIndex('orders_challenge_unique').on(table.challengeId),
    uniqueIndex('orders_payment_unique').on(table.paymentId),
    index('orders_account').on(table.accountId, table.id),
    index('orders_open').on(table.kind, table.createdAt).where(sql`status = 'open'`),
    check('orders_kind_known', sql`kind in ('checkout', 'reload', 'machine')`),
    check('orders_mode_known', sql`mode in ('live', 'test', 'fake', 'sandbox', 'x402')`),
    check('orders_status_known', sql`status in ('open', 'paid', 'failed', 'expired')`),
    check('orders_open_is_unfinished', sql`(status = 'open') = (finished_at is null)`),
    check('orders_paid_has_payment', sql`status <> 'paid' or payment_id is not null`),
    check(
      'orders_total_is_credits_and_fee',
      sql`credits_microusd > 0 and fee_microusd >= 0 and total_cents * 10000::bigint = credits_microusd + fee_microusd`,
    ),
  ],
);

/**
 * The customer as a receipt names it, frozen when the payment was made. Without company, address
 * and VAT id it can be completed once.
 */
export interface ReceiptCustomer {
  account: string;
  company: string;
  address: string;
  vat_id: string;
}

/** Received payments, and how much of each was credited and reversed (docs/decisions/0014). */
export const payments = pgTable(
  'payments',
  {
    /** The provider's id: `pi_…`. */
    id: text().primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'restrict' }),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    mode: text().$type<PaymentMode>().notNull(),
    totalCents: integer().notNull(),
    creditsMicrousd: microusd().notNull(),
    feeMicrousd: microusd().notNull(),
    /** The amounts in the provider's last snapshot. */
    refundedCents: integer().notNull().default(0),
    disputedCents: integer().notNull().default(0),
    disputeOpen: boolean().notNull().default(false),
    /** The resulting ledger totals: credit given, and credit reversed by refunds and disputes. */
    creditedMicrousd: microusd().notNull().default(sql`0`),
    refundedMicrousd: microusd().notNull().default(sql`0`),
    disputedMicrousd: microusd().notNull().default(sql`0`),
    /** Number of ledger entries of the payment; an entry's ref ends in its number. */
    entries: integer().notNull().default(0),
    /** Sequence number of the last applied snapshot; older snapshots are ignored. */
    ticket: bigint({ mode: 'bigint' }).notNull(),
    /** `Visa •••• 4242`, for receipts. */
    paidWith: text(),
    /** Of the receipt, in the order of payments; null: made before receipts had numbers. */
    receiptNumber: integer(),
    /** Null: a claim moved it, or an earlier version wrote it. */
    customer: jsonb().$type<ReceiptCustomer>(),
    paidAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('payments_order_unique').on(table.orderId),
    index('payments_account').on(table.accountId, table.createdAt),
    check(
      'payments_amounts_in_range',
      sql`credited_microusd between 0 and credits_microusd and refunded_microusd >= 0 and disputed_microusd >= 0
        and refunded_microusd + disputed_microusd <= credits_microusd`,
    ),
    check(
      'payments_total_is_credits_and_fee',
      sql`total_cents * 10000::bigint = credits_microusd + fee_microusd`,
    ),
  ],
);

/**
 * Refunds requested by operators. Written before the provider is called, so that concurrent ones
 * cannot exceed the payment. Retained as long as the books.
 */
export const refunds = pgTable(
  'refunds',
  {
    /** From the submitted form: submitting it twice refunds once, also at the provider. */
    id: text().primaryKey(),
    paymentId: text()
      .notNull()
      .references(() => payments.id, { onDelete: 'restrict' }),
    cents: integer().notNull(),
    reason: text().notNull(),
    /** The operator's name in the audit log. */
    createdBy: text().notNull(),
    /** `open`: the provider's result is unknown. */
    status: text().$type<'open' | 'done' | 'refused'>().notNull().default('open'),
    /** The provider's id: `re_…`. */
    providerId: text(),
    /** Why the provider rejected it. */
    problem: text(),
    createdAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
  },
  (table) => [
    index('refunds_payment').on(table.paymentId),
    check('refunds_cents_above_zero', sql`cents > 0`),
    check('refunds_status_known', sql`status in ('open', 'done', 'refused')`),
    check('refunds_open_is_unfinished', sql`(status = 'open') = (finished_at is null)`),
  ],
);

/** Received events of the provider, for the operator, and to skip those already processed. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    /** Null while it is processed or after a failure: the provider then sends it again. */
    outcome: text().$type<'applied' | 'ignored'>(),
    receivedAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
    /** The event's objects, to process it again; `live` is null for events before this column. */
    live: boolean(),
    sessionId: text(),
    paymentId: text(),
    customerId: text(),
    attempts: integer().notNull().default(0),
    /** Why the last attempt failed, without secrets; null if it did not. */
    error: text(),
  },
  (table) => [
    index('payment_events_received').on(table.receivedAt),
    index('payment_events_failed').on(table.receivedAt).where(sql`outcome is null and error is not null`),
  ],
);

/** Up to this time all events of a mode were fetched and processed; the next fetch starts here. */
export const paymentEventMarks = pgTable('payment_event_marks', {
  mode: text().$type<PaymentMode>().primaryKey(),
  fetchedUntil: instant().notNull(),
});

/**
 * Outgoing email, written in the transaction of its cause; sent by the first process to take it.
 */
export const outgoingEmails = pgTable(
  'outgoing_emails',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text()
      .$type<
        | 'low_balance'
        | 'reload_declined'
        | 'reload_stopped'
        | 'reload_capped'
        | 'dispute_opened'
        | 'webhook_disabled'
        | 'limit_alert'
        | 'key_blocked'
        | 'member_blocked'
        | 'receipt'
      >()
      .notNull(),
    accountId: text().notNull(),
    /**
     * The subject: an order, payment or webhook endpoint, `month:percent:limit` of an alert,
     * `key:period:start:limit` of a blocked key, or `user:month:limit` of a blocked member.
     */
    ref: text(),
    attempts: integer().notNull().default(0),
    /** Not sent before this time: a process is sending it, or it waits after a failure. */
    dueAt: instant().notNull().defaultNow(),
    sentAt: instant(),
    /** Why the last attempt failed. */
    error: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [index('outgoing_emails_due').on(table.dueAt).where(sql`sent_at is null`)],
);
