import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { CSV_BYTE_ORDER_MARK } from '../../kit/csv';
import { writeZip, type ZipFile } from '../../kit/zip';
import { chooseAccount } from '../billing/choose-account';
import { describeInvoice, nameInvoiceFile } from './describe-invoice';
import { describeReceiptPdf, nameReceiptFile } from './describe-receipt';
import { listDocumentLines, nameDocuments } from './documents-csv';
import { walkInvoices, walkReceipts } from './list-documents';
import { type PdfRequest, renderPdfs } from './render-pdf';
import type { DocumentsRequest } from './schema';

/** Documents per task of a worker. */
const BATCH = 10;

interface Planned {
  name: string;
  modifiedAt: Date;
  request: PdfRequest;
}

/**
 * Writes the documents of an account with a date in a year (UTC) as PDFs in a ZIP archive, with
 * the CSV that lists them.
 * @throws GatewayError FORBIDDEN unless the actor is its owner or admin
 */
export async function writeDocumentsZip(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  actor: Actor,
  { billing, year }: DocumentsRequest,
): Promise<{ filename: string; contentType: string; text: AsyncIterable<Uint8Array> }> {
  const account = await chooseAccount(runtime, actor, billing, 'admin');
  const filename = nameDocuments(account, year);
  const text = writeZip(listFiles(runtime, account.id, { year, csv: `${filename}.csv` }));
  return { filename: `${filename}.zip`, contentType: 'application/zip', text };
}

async function* listFiles(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  accountId: string,
  { year, csv }: { year: number; csv: string },
): AsyncGenerator<ZipFile> {
  const names = new Set<string>();
  for await (const page of planFiles(runtime, accountId, year))
    for (let at = 0; at < page.length; at += BATCH)
      for (const { name, bytes, modifiedAt } of await renderPdfs(page.slice(at, at + BATCH)))
        yield { name: makeUnique(name, names), bytes, modifiedAt };
  let text = CSV_BYTE_ORDER_MARK;
  for await (const lines of listDocumentLines(runtime, accountId, year)) text += lines;
  yield { name: csv, bytes: Buffer.from(text), modifiedAt: new Date() };
}

async function* planFiles(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  accountId: string,
  year: number,
): AsyncGenerator<Planned[]> {
  for await (const receipts of walkReceipts(db, accountId, year))
    yield receipts.map((receipt) => ({
      name: `receipts/${nameReceiptFile(receipt)}`,
      modifiedAt: new Date(receipt.paid_at),
      request: describeReceiptPdf(settings, receipt),
    }));
  for await (const rows of walkInvoices(db, accountId, year))
    yield rows.map((row) => ({
      name: `invoices/${nameInvoiceFile(row)}`,
      modifiedAt: row.issuedAt,
      request: describeInvoice(row),
    }));
}

/** Sellers of different names each count from 1, so a number can come twice in a year. */
function makeUnique(name: string, names: Set<string>): string {
  let unique = name;
  for (let copy = 2; names.has(unique); copy++) unique = name.replace(/\.pdf$/, ` (${copy}).pdf`);
  names.add(unique);
  return unique;
}
