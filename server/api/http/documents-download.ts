import { writeDocumentsCsv } from '../../money/invoices/documents-csv';
import { writeDocumentsZip } from '../../money/invoices/documents-zip';
import { documentsInput } from '../../money/invoices/schema';
import { downloadCsv } from './csv-download';

/** The receipts, invoices and credit notes of a year as a CSV file, for owners and admins. */
export function downloadDocuments(request: Request): Promise<Response> {
  return downloadCsv(request, documentsInput, writeDocumentsCsv);
}

/** The same documents as PDFs in a ZIP archive. */
export function downloadDocumentsZip(request: Request): Promise<Response> {
  return downloadCsv(request, documentsInput, writeDocumentsZip);
}
