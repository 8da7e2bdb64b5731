import type { Executor } from '@/db/client';
import { listYearReceipts, type NamedReceipt } from '../payments/read-receipts';
import { type InvoiceRow, listInvoices, listYearInvoices } from './store';

/** Rows per database query. */
const PAGE = 200;

/** A receipt with its invoice and credit notes, and the customer as its page names it. */
export type ReceiptWithCustomer = NamedReceipt & { documents: InvoiceRow[] };

/** The receipts of a year (UTC) in pages, oldest first. The caller has authorised the account. */
export async function* walkReceipts(
  db: Executor,
  accountId: string,
  year: number,
): AsyncGenerator<ReceiptWithCustomer[]> {
  for await (const receipts of walk<NamedReceipt>((after) =>
    listYearReceipts(db, accountId, { year, after, limit: PAGE }),
  )) {
    const ids = receipts.map(({ payment_id: id }) => id);
    const all = await listInvoices(db, ids);
    yield receipts.map((receipt) => {
      const documents = all.filter(({ paymentId }) => paymentId === receipt.payment_id);
      const invoice = documents.find(({ kind }) => kind === 'invoice');
      return { ...receipt, documents, customer: invoice?.document.customer ?? receipt.customer };
    });
  }
}

/** The invoices and credit notes of a year (UTC) in pages, in the order of issue. */
export function walkInvoices(db: Executor, accountId: string, year: number): AsyncGenerator<InvoiceRow[]> {
  return walk<InvoiceRow>((after) => listYearInvoices(db, accountId, { year, after, limit: PAGE }));
}

/** Reads pages by the last row of each. */
async function* walk<Row>(read: (after: Row | null) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let rows = await read(null); rows.length > 0; ) {
    yield rows;
    rows = rows.length < PAGE ? [] : await read(rows.at(-1) ?? null);
  }
}
