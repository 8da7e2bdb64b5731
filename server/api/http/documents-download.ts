import { writeDocumentsCsv } from '../../money/invoices/documents-csv';
import { documentsInput } from '../../money/invoices/schema';
import { downloadCsv } from './csv-download';

/** The receipts, invoices and credit notes of a year as a CSV file, for owners and admins. */
export function downloadDocuments(request: Request): Promise<Response> {
  return downloadCsv(request, documentsInput, writeDocumentsCsv);
}
