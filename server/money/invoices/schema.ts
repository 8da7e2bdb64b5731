import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { billingChoiceSchema, receiptSchema } from '../billing/schema';
import { DETAIL_LENGTHS, MAX_ADDRESS_LINES } from './limits';

/** The country codes of the EU and of Northern Ireland; Greece writes EL. */
const VAT_ID =
  /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)[0-9A-Z+*]{2,12}$/;

/** Control characters and those that reverse the text after them. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Letters that the font of invoices lacks would be empty boxes in a frozen document. */
const LACKS_GLYPH =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}])\p{L}/u;
const SCRIPTS = 'Use Latin, Greek or Cyrillic letters: invoices cannot show others.';

const plain = (max: number) =>
  z
    .string()
    .trim()
    .normalize('NFC')
    .max(max, `Must have at most ${max} characters.`)
    .refine((text) => !UNSAFE.test(text), 'Must be one line of text.')
    .refine((text) => !LACKS_GLYPH.test(text), SCRIPTS);

/** Spaces, dots and hyphens are for readers; an empty text is no VAT id. */
const vatIdSchema = z
  .string()
  .max(2 * DETAIL_LENGTHS.vatId, 'Must be a VAT id such as DE123456789.')
  .transform((text) => text.replace(/[\s.-]/g, '').toUpperCase())
  .refine((id) => id === '' || VAT_ID.test(id), 'Must be an EU VAT id such as DE123456789, or empty.');

const addressSchema = z
  .string()
  .trim()
  .normalize('NFC')
  .max(DETAIL_LENGTHS.address, `Must have at most ${DETAIL_LENGTHS.address} characters.`)
  .transform((text) => text.replace(/\r\n?/g, '\n'))
  .refine((text) => !UNSAFE.test(text.replaceAll('\n', '')), 'Must be plain text.')
  .refine((text) => !LACKS_GLYPH.test(text), SCRIPTS)
  .refine(
    (text) => text.split('\n').length <= MAX_ADDRESS_LINES,
    `Must have at most ${MAX_ADDRESS_LINES} lines.`,
  );

export const detailsQuery = z.object({ billing: billingChoiceSchema });

/** The documents of a year (UTC). */
export const documentsInput = detailsQuery.extend({ year: z.coerce.number().int().min(2000).max(2199) });

export const detailsInput = strictInput({
  billing: billingChoiceSchema,
  company_name: plain(DETAIL_LENGTHS.companyName),
  address: addressSchema,
  vat_id: vatIdSchema,
  /** Null: receipts and invoices go to nobody else. */
  billing_email: z
    .email('Must be an email address, such as accounts@example.com.')
    .max(DETAIL_LENGTHS.email)
    .nullable(),
});

export const detailsSchema = z.object({
  company_name: z.string(),
  address: z.string(),
  vat_id: z.string(),
  billing_email: z.string().nullable(),
});

/** An issued invoice or credit note. */
export const invoiceSchema = z
  .looseObject({
    invoice_id: z.string(),
    number: z.string().describe('Without gaps per seller and year, for example `2026-000001`.'),
    kind: z.enum(['invoice', 'credit_note']),
    payment_id: z.string(),
    issued_at: z.iso.datetime(),
    total_usd: z.number().describe('What was paid, or given back by a credit note.'),
    test: z.boolean().describe('Issued for a payment in test mode: not an invoice.'),
    pdf_url: z.string().describe('The PDF, for a signed-in owner or admin of the account.'),
  })
  .meta({ id: 'Invoice' });

export const issueInput = strictInput({ payment_id: z.string().min(1).max(128) });
export const issuedSchema = z
  .looseObject({ invoices: z.array(invoiceSchema) })
  .meta({ id: 'IssuedInvoices' });

const documents = {
  /** Empty for members, who do not see invoices. */
  invoices: z.array(invoiceSchema),
  /** Whether the invoice can be issued. */
  invoice_due: z.boolean(),
  /** What a credit note can be issued for: refunds and lost disputes since the last; 0: none. */
  credit_note_due_usd: z.number(),
};

/** A payment of the list, with its invoices. */
export const invoicedPaymentSchema = receiptSchema.extend(documents);

export const invoicedPaymentListSchema = z.object({
  payments: z.array(invoicedPaymentSchema),
  next_cursor: z.string().nullable(),
});

/** A receipt, with the customer as it was frozen: for members its name only. */
export const invoicedReceiptSchema = receiptSchema.extend({
  ...documents,
  customer: z.object({ name: z.string(), address: z.string(), vat_id: z.string() }),
  /** It was made without billing details: those saved now can be added once. */
  completable: z.boolean(),
});

export const completeInput = strictInput({ payment_id: z.string().min(1).max(128) });

export type DocumentsRequest = z.infer<typeof documentsInput>;
export type BillingDetails = z.infer<typeof detailsSchema>;
export type DetailsUpdate = z.infer<typeof detailsInput>;
export type Invoice = z.infer<typeof invoiceSchema>;
export type InvoicedPayment = z.infer<typeof invoicedPaymentSchema>;
export type InvoicedPaymentList = z.infer<typeof invoicedPaymentListSchema>;
export type InvoicedReceipt = z.infer<typeof invoicedReceiptSchema>;
