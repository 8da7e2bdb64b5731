import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { instant } from '../columns';
import { accounts } from './accounts';
import { type PaymentMode, payments } from './payments';

/** What invoices and receipts of an account name as the customer. */
export const billingDetails = pgTable('billing_details', {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  companyName: text().notNull().default(''),
  address: text().notNull().default(''),
  vatId: text().notNull().default(''),
  /** Also gets receipts and invoices; null: none. */
  billingEmail: text(),
  updatedAt: instant().notNull().defaultNow(),
});

/** A party as an invoice names it. */
export interface InvoiceParty {
  name: string;
  address: string;
  vat_id: string | null;
}

/** The text of an invoice or credit note, frozen when it was issued. */
export interface InvoiceDocument {
  seller: InvoiceParty;
  customer: InvoiceParty;
  lines: { text: string; cents: number }[];
  payment: { id: string; paid_at: string; paid_with: string | null };
  /** The number of the invoice that a credit note corrects. */
  corrects: string | null;
}

/**
 * The last number of each series: of a seller, year and mode. An issuing transaction holds the row,
 * so numbers have no gaps.
 */
export const invoiceCounters = pgTable(
  'invoice_counters',
  {
    seller: text().notNull(),
    test: boolean().notNull(),
    year: integer().notNull(),
    last: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.seller, table.test, table.year] })],
);

/** Issued invoices and credit notes, append-only (a trigger rejects changes). Kept forever. */
export const invoices = pgTable(
  'invoices',
  {
    id: text().primaryKey(),
    kind: text().$type<'invoice' | 'credit_note'>().notNull(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    paymentId: text()
      .notNull()
      .references(() => payments.id, { onDelete: 'restrict' }),
    /** The series of the number. */
    seller: text().notNull(),
    test: boolean().notNull(),
    year: integer().notNull(),
    sequence: integer().notNull(),
    /** `2026-000001`, in test mode `TEST-2026-000001`. */
    number: text().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    /** Paid, or of a credit note: given back. */
    totalCents: integer().notNull(),
    document: jsonb().$type<InvoiceDocument>().notNull(),
    issuedBy: text().notNull(),
    issuedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('invoices_number_unique').on(table.seller, table.test, table.year, table.sequence),
    uniqueIndex('invoices_one_per_payment').on(table.paymentId).where(sql`kind = 'invoice'`),
    index('invoices_payment').on(table.paymentId),
    index('invoices_account').on(table.accountId, table.issuedAt, table.id),
    check('invoices_kind_known', sql`kind in ('invoice', 'credit_note')`),
    check('invoices_total_above_zero', sql`total_cents > 0 and sequence > 0`),
  ],
);
