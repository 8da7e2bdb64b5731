import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { csvLine } from '../../kit/csv';
import { chooseAccount } from '../billing/choose-account';
import { type ReceiptWithCustomer, walkInvoices, walkReceipts } from './list-documents';
import type { DocumentsRequest } from './schema';
import type { InvoiceRow } from './store';

const COLUMNS = [
  'type',
  'number',
  'date',
  'payment_id',
  'paid_with',
  'customer',
  'address',
  'vat_id',
  'credit_usd',
  'fee_usd',
  'total_usd',
  'refunded_usd',
  'invoiced_usd',
  'invoices',
  'mode',
  'pdf_url',
] as const;
type Line = Record<(typeof COLUMNS)[number], string | number>;

/**
 * Writes the documents of an account with a date in a year (UTC), receipts first, each by date. An
 * invoice repeats the money of its receipt, so it has a column of its own; credit notes are
 * negative.
 * @throws GatewayError FORBIDDEN unless the actor is its owner or admin
 */
export async function writeDocumentsCsv(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  actor: Actor,
  { billing, year }: DocumentsRequest,
): Promise<{ filename: string; text: AsyncIterable<string> }> {
  const account = await chooseAccount(runtime, actor, billing, 'admin');
  const filename = `${nameDocuments(account, year)}.csv`;
  return { filename, text: listDocumentLines(runtime, account.id, year) };
}

/** The name of a file with the documents of a year, without its type. */
export function nameDocuments({ slug }: { slug: string | null }, year: number): string {
  return ['receipts-and-invoices', slug, year].filter(Boolean).join('-');
}

/** The lines of the CSV in pages. The caller has authorised the account. */
export async function* listDocumentLines(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  accountId: string,
  year: number,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const receipts of walkReceipts(runtime.db, accountId, year))
    yield receipts.map((receipt) => write(describeReceipt(runtime, receipt))).join('');
  for await (const rows of walkInvoices(runtime.db, accountId, year))
    yield rows.map((row) => write(describeInvoice(runtime, row))).join('');
}

function write(line: Line): string {
  return csvLine(COLUMNS.map((column) => line[column]));
}

function describeReceipt({ settings }: Pick<Runtime, 'settings'>, receipt: ReceiptWithCustomer): Line {
  const { customer } = receipt;
  return {
    type: 'receipt',
    number: receipt.receipt_number ?? receipt.payment_id,
    date: receipt.paid_at,
    payment_id: receipt.payment_id,
    paid_with: receipt.paid_with ?? '',
    ...{ customer: customer.name, address: customer.address, vat_id: customer.vat_id ?? '' },
    credit_usd: receipt.credit_usd,
    fee_usd: receipt.fee_usd,
    total_usd: receipt.total_usd,
    refunded_usd: receipt.refunded_usd,
    invoiced_usd: '',
    invoices: receipt.documents.map(({ number }) => number).join(' '),
    mode: receipt.mode,
    pdf_url: `${settings.baseUrl}/dashboard/billing/receipts/${receipt.payment_id}/receipt.pdf`,
  };
}

function describeInvoice({ settings }: Pick<Runtime, 'settings'>, row: InvoiceRow): Line {
  const { customer, payment, corrects } = row.document;
  const sign = row.kind === 'credit_note' ? -1 : 1;
  return {
    type: row.kind,
    number: row.number,
    date: row.issuedAt.toISOString(),
    payment_id: payment.id,
    paid_with: payment.paid_with ?? '',
    ...{ customer: customer.name, address: customer.address, vat_id: customer.vat_id ?? '' },
    credit_usd: '',
    fee_usd: '',
    total_usd: '',
    refunded_usd: '',
    invoiced_usd: (sign * row.totalCents) / 100,
    invoices: corrects ?? '',
    mode: row.mode,
    pdf_url: `${settings.baseUrl}/dashboard/billing/invoices/${row.id}.pdf`,
  };
}
