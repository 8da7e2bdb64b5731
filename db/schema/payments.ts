import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';
import { accounts } from './accounts';

/** Where the money is: Stripe's live or test mode, the stand-in, or the sandbox method of machine payments. */
export type PaymentMode = 'live' | 'test' | 'standin' | 'sandbox';

/** Who an account is at the payment provider, and the card it has saved there. Per mode: ids of one mean nothing in another. */
export const paymentProfiles = pgTable(
  'payment_profiles',
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    mode: text().$type<PaymentMode>().notNull(),
    customerId: text().notNull(),
    /** The saved card, for auto-reload; null: none. */
    paymentMethodId: text(),
    cardBrand: text(),
    cardLast4: text(),
    cardExpMonth: smallint(),
    cardExpYear: smallint(),
    /** Of the look at the card that was applied last; an older one changes nothing. */
    ticket: bigint({ mode: 'bigint' }).notNull().default(sql`0`),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.mode] }),
    uniqueIndex('payment_profiles_customer_unique').on(table.mode, table.customerId),
  ],
);

/**
 * What somebody set out to buy, written before the provider is asked: by a checkout, an auto-reload or a machine top-up.
 * What is credited comes from here, never from what a provider's object or a request says.
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
    /** As the audit log names them. */
    createdBy: text().notNull(),
    creditsMicrousd: microusd().notNull(),
    feeMicrousd: microusd().notNull(),
    totalCents: integer().notNull(),
    /** The buyer agreed that the card is kept for auto-reload. */
    saveCard: boolean().notNull().default(false),
    status: text().$type<'open' | 'paid' | 'failed' | 'expired'>().notNull().default('open'),
    /** The provider's payment, once it is known. */
    paymentId: text(),
    failureCode: text(),
    /** Of a checkout. */
    sessionId: text(),
    /** Of a reload: what is charged, the same at each attempt. */
    customerId: text(),
    paymentMethodId: text(),
    attempts: integer().notNull().default(0),
    fence: text(),
    leaseExpiresAt: instant(),
    /** Of a machine top-up. */
    keyId: text(),
    challengeId: text(),
    /** Until when it can be paid: of a checkout or a machine top-up. */
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
    check('orders_mode_known', sql`mode in ('live', 'test', 'standin', 'sandbox')`),
    check('orders_status_known', sql`status in ('open', 'paid', 'failed', 'expired')`),
    check('orders_open_is_unfinished', sql`(status = 'open') = (finished_at is null)`),
    check('orders_paid_has_payment', sql`status <> 'paid' or payment_id is not null`),
    check(
      'orders_total_is_credits_and_fee',
      sql`credits_microusd > 0 and fee_microusd >= 0 and total_cents * 10000::bigint = credits_microusd + fee_microusd`,
    ),
  ],
);

/** Payments that came in, with what of each has been credited and taken back so far (docs/decisions/0014). */
export const payments = pgTable(
  'payments',
  {
    /** The provider's: `pi_…`. */
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
    /** What the provider's objects said when they were last looked at. */
    refundedCents: integer().notNull().default(0),
    disputedCents: integer().notNull().default(0),
    disputeOpen: boolean().notNull().default(false),
    /** What the ledger says because of them: credit given, and credit taken back by refunds and disputes. */
    creditedMicrousd: microusd().notNull().default(sql`0`),
    refundedMicrousd: microusd().notNull().default(sql`0`),
    disputedMicrousd: microusd().notNull().default(sql`0`),
    /** Ledger entries written for it; the number of the last is in its ref. */
    entries: integer().notNull().default(0),
    /** Of the look that was applied last; an older one changes nothing. */
    ticket: bigint({ mode: 'bigint' }).notNull(),
    /** `Visa •••• 4242`, for receipts. */
    paidWith: text(),
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
 * Refunds that an operator has asked for: written before the provider is asked, so that two who ask at once never give back
 * more than was paid. Kept with the books.
 */
export const refunds = pgTable(
  'refunds',
  {
    /** Of the form that asked: sent twice it refunds once, at the provider too. */
    id: text().primaryKey(),
    paymentId: text()
      .notNull()
      .references(() => payments.id, { onDelete: 'restrict' }),
    cents: integer().notNull(),
    reason: text().notNull(),
    /** As the audit log names them. */
    createdBy: text().notNull(),
    /** `open`: nobody knows yet whether the provider has done it. */
    status: text().$type<'open' | 'done' | 'refused'>().notNull().default('open'),
    /** The provider's `re_…`. */
    providerId: text(),
    /** Why the provider refused it. */
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

/** Events of the provider that were received: a note for the operator, and what need not be looked at again. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    /** Null while it is being worked on or has failed: it is sent again then. */
    outcome: text().$type<'applied' | 'ignored'>(),
    receivedAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
    /** What it is about, so that it can be worked on again; `live` is null of those from before this was kept. */
    live: boolean(),
    sessionId: text(),
    paymentId: text(),
    customerId: text(),
    attempts: integer().notNull().default(0),
    /** Why the last attempt failed, without secrets; null while none has, and once one has not. */
    error: text(),
  },
  (table) => [
    index('payment_events_received').on(table.receivedAt),
    index('payment_events_failed').on(table.receivedAt).where(sql`outcome is null and error is not null`),
  ],
);

/** Until when all events of a mode were fetched and worked on, whatever came by itself: the next round begins there. */
export const paymentEventMarks = pgTable('payment_event_marks', {
  mode: text().$type<PaymentMode>().primaryKey(),
  fetchedUntil: instant().notNull(),
});

/** Mail that shall be sent, written in the transaction of its cause; sent by whichever process takes it first. */
export const outgoingMails = pgTable(
  'outgoing_mails',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text()
      .$type<'low_balance' | 'reload_declined' | 'reload_stopped' | 'reload_capped' | 'dispute_opened'>()
      .notNull(),
    accountId: text().notNull(),
    /** What it was about: the id of an order or a payment. */
    ref: text(),
    attempts: integer().notNull().default(0),
    /** Not before it: taken by a process that sends it, or waiting after a failure. */
    dueAt: instant().notNull().defaultNow(),
    sentAt: instant(),
    /** Why the last attempt failed. */
    error: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [index('outgoing_mails_due').on(table.dueAt).where(sql`sent_at is null`)],
);
