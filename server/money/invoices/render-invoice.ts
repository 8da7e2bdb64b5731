import { runInWorker } from '../../platform/workers/cpu-pool';
import type * as worker from './invoice-worker.mjs';
import type { InvoiceRow } from './store';

const MODULE = 'server/money/invoices/invoice-worker.mjs';
const TIME_LIMIT_MS = 10_000;

/** Lays out an issued document as PDF, from its frozen text only. */
export async function renderInvoice({
  kind,
  number,
  test,
  totalCents,
  issuedAt,
  document,
}: Pick<InvoiceRow, 'kind' | 'number' | 'test' | 'totalCents' | 'issuedAt' | 'document'>): Promise<Buffer> {
  const { base64 } = await runInWorker<typeof worker.writeInvoice>(
    MODULE,
    'writeInvoice',
    { kind, number, test, totalCents, issuedAt: issuedAt.toISOString(), ...document },
    { signal: AbortSignal.timeout(TIME_LIMIT_MS * 3), timeLimitMs: TIME_LIMIT_MS },
  );
  return Buffer.from(base64, 'base64');
}
