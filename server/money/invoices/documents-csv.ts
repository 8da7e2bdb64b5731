import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { csvLine } from '../../kit/csv';
import { chooseAccount } from '../billing/choose-account';
import { listYearReceipts, type YearReceipt } from '../payments/list-year-receipts';
import type { DocumentsRequest } from './schema';
import { type InvoiceRow, listInvoices, listYearInvoices } from './store';

/** Rows per database query. */
const PAGE = 200;
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
  const filename = ['receipts-and-invoices', account.slug, year].filter(Boolean).join('-');
  return { filename: `${filename}.csv`, text: lines(runtime, account.id, year) };
}

async function* lines(runtime: Pick<Runtime, 'db' | 'settings'>, accountId: string, year: number) {
  yield csvLine(COLUMNS);
  for await (const receipts of walk<YearReceipt>((after) =>
    listYearReceipts(runtime.db, accountId, { year, after, limit: PAGE }),
  )) {
    const documents = await listInvoices(
      runtime.db,
      receipts.map(({ payment_id: id }) => id),
    );
    yield receipts.map((receipt) => write(describeReceipt(receipt, documents))).join('');
  }
  for await (const rows of walk<InvoiceRow>((after) =>
    listYearInvoices(runtime.db, accountId, { year, after, limit: PAGE }),
  ))
    yield rows.map((row) => write(describeInvoice(runtime, row))).join('');
}

/** Reads pages by the last row of each. */
async function* walk<Row>(read: (after: Row | null) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let rows = await read(null); rows.length > 0; ) {
    yield rows;
    rows = rows.length < PAGE ? [] : await read(rows.at(-1) ?? null);
  }
}

function write(line: Line): string {
  return csvLine(COLUMNS.map((column) => line[column]));
}

/** The customer as the receipt names it: as its invoice does, if there is one. */
function describeReceipt(receipt: YearReceipt, documents: readonly InvoiceRow[]): Line {
  const own = documents.filter(({ paymentId }) => paymentId === receipt.payment_id);
  const invoice = own.find(({ kind }) => kind === 'invoice');
  const customer = invoice?.document.customer ?? receipt.customer;
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
    invoices: own.map(({ number }) => number).join(' '),
    mode: receipt.mode,
    pdf_url: '',
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
