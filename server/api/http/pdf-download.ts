import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { COMMON_HEADERS, chooseRequestId } from '../../core/http/headers';
import { errorResponse, toFetchResponse } from '../../core/http/responses';
import { getRuntime, type Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { getInvoicePdf, getReceiptPdf } from '../../money/invoices/request-invoice';
import { acquireSlot, resolveSession } from './csv-download';

/**
 * Answers an owner or admin of the account with the PDF of an issued invoice or credit note.
 * @param file `invoice_….pdf`
 */
export async function downloadInvoice(request: Request, file: string): Promise<Response> {
  return await downloadPdf(request, async (context) => {
    const [, invoiceId] = /^([a-z0-9_]{1,64})\.pdf$/.exec(file) ?? [];
    if (invoiceId === undefined) throw new GatewayError('NOT_FOUND');
    return await getInvoicePdf(context, invoiceId);
  });
}

/** Answers a member of the account with the PDF of a receipt. */
export async function downloadReceipt(request: Request, paymentId: string): Promise<Response> {
  return await downloadPdf(request, (context) => getReceiptPdf(context, paymentId));
}

async function downloadPdf(
  request: Request,
  render: (context: {
    runtime: Runtime;
    actor: SessionActor;
  }) => Promise<{ filename: string; bytes: Buffer }>,
): Promise<Response> {
  const runtime = getRuntime();
  const requestId = chooseRequestId(request.headers.get('x-request-id'));
  let leave: (() => void) | undefined;
  try {
    const actor = await resolveSession(runtime, request);
    leave = acquireSlot(actor.accountId);
    const { filename, bytes } = await render({ runtime, actor });
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {
      headers: {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="${filename}"`,
        ...COMMON_HEADERS,
      },
    });
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (error.status >= 500) runtime.log.error('download.failed', { requestId, error: error.cause ?? error });
    return toFetchResponse(errorResponse(error, { requestId, baseUrl: runtime.settings.baseUrl }));
  } finally {
    leave?.();
  }
}
