import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { EmailAttachment } from '../../platform/ports/ports';
import { issueInvoice } from './issue-invoice';
import { renderInvoice } from './render-invoice';

/**
 * Issues the invoice of the payment that a receipt email is about, and attaches it. Without a
 * seller in the settings the email goes without.
 */
export async function attachInvoice(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  mail: { kind: string; account_id: string; ref: string | null },
): Promise<EmailAttachment[]> {
  if (mail.kind !== 'receipt' || mail.ref === null) return [];
  const request = { accountId: mail.account_id, paymentId: mail.ref, issuedBy: 'system:email' };
  try {
    const rows = await issueInvoice(runtime, request);
    return await Promise.all(
      rows.map(async (row) => ({
        filename: `${row.kind.replace('_', '-')}-${row.number}.pdf`,
        contentType: 'application/pdf',
        content: await renderInvoice(row),
      })),
    );
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'UNAVAILABLE') return [];
    throw error;
  }
}
