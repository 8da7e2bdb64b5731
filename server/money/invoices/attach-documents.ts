import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { EmailAttachment } from '../../platform/ports/ports';
import { findNamedReceipt } from '../payments/read-receipts';
import { describeInvoice, nameInvoiceFile } from './describe-invoice';
import { describeReceiptPdf, nameReceiptFile } from './describe-receipt';
import { issueInvoice } from './issue-invoice';
import { renderPdfs } from './render-pdf';
import type { InvoiceRow } from './store';

/**
 * The documents of the payment that a receipt email is about: its receipt, and its invoice, which
 * this issues. Without a seller in the settings there is no invoice of real money.
 */
export async function attachDocuments(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  mail: { kind: string; account_id: string; ref: string | null },
): Promise<EmailAttachment[]> {
  if (mail.kind !== 'receipt' || mail.ref === null) return [];
  const invoices = await issueInvoices(runtime, { accountId: mail.account_id, paymentId: mail.ref });
  // The invoice freezes the customer of the receipt, so the receipt is read after it.
  const receipt = await findNamedReceipt(runtime.db, mail.ref);
  const documents = [
    ...(receipt
      ? [{ filename: nameReceiptFile(receipt), request: describeReceiptPdf(runtime.settings, receipt) }]
      : []),
    ...invoices.map((row) => ({ filename: nameInvoiceFile(row), request: describeInvoice(row) })),
  ];
  const files = await renderPdfs(documents);
  return files.map(({ filename, bytes }) => ({ filename, contentType: 'application/pdf', content: bytes }));
}

async function issueInvoices(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  payment: { accountId: string; paymentId: string },
): Promise<InvoiceRow[]> {
  try {
    return await issueInvoice(runtime, { ...payment, issuedBy: 'system:email' });
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'UNAVAILABLE') return [];
    throw error;
  }
}
