import { runInWorker } from '../../platform/workers/cpu-pool';
import type * as worker from './pdf-worker.mjs';

const MODULE = 'server/money/invoices/pdf-worker.mjs';
const TIME_LIMIT_MS = 10_000;

/** The texts of a document, as they are laid out. */
export type PdfRequest = Parameters<typeof worker.writePdfs>[0][number];

/** Lays out a document as PDF. */
export async function renderPdf(request: PdfRequest): Promise<Buffer> {
  const [file] = await renderPdfs([{ request }]);
  if (!file) throw new Error('A document was not rendered');
  return file.bytes;
}

/** Lays out documents as PDFs, in one worker task. */
export async function renderPdfs<Document extends { request: PdfRequest }>(
  documents: readonly Document[],
): Promise<(Document & { bytes: Buffer })[]> {
  const files = await runInWorker<typeof worker.writePdfs>(
    MODULE,
    'writePdfs',
    documents.map(({ request }) => request),
    { signal: AbortSignal.timeout(TIME_LIMIT_MS * 3), timeLimitMs: TIME_LIMIT_MS },
  );
  if (files.length !== documents.length) throw new Error('A document was not rendered');
  return documents.map((document, at) => ({ ...document, bytes: Buffer.from(files[at] ?? '', 'base64') }));
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

/** `26 Nov 2026`, in UTC, as on pages. */
export function formatDay(at: string | Date): string {
  const moment = new Date(at);
  return `${moment.getUTCDate()} ${MONTHS[moment.getUTCMonth()]} ${moment.getUTCFullYear()}`;
}
