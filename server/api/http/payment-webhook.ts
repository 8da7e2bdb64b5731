import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { chooseRequestId } from '../../core/http/headers';
import { errorResponse, jsonResponse, toFetchResponse } from '../../core/http/responses';
import { getRuntime, type Runtime } from '../../core/runtime';
import { receiveEvent } from '../../money/payments/receive-event';
import { ForgedEvent } from '../../platform/ports/ports';

/** Stripe's largest events are far smaller. */
const MAX_BODY_BYTES = 512 * 1024;

const OUTCOMES: Record<number, string> = { 200: 'received', 400: 'refused', 404: 'refused', 413: 'refused' };

/**
 * The payment provider's webhook. The signature is verified over the raw bytes, never over parsed
 * and re-serialised JSON. Refusals have the Error shape; after 500 and 503 the provider sends the
 * event again.
 */
export async function handlePaymentWebhook(
  request: Request,
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'> = getRuntime(),
): Promise<Response> {
  const response = await receive(request, runtime);
  runtime.observer.metrics.paymentEvents.inc({ outcome: OUTCOMES[response.status] ?? 'failed' });
  return response;
}

async function receive(
  request: Request,
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
): Promise<Response> {
  const requestId = chooseRequestId(request.headers.get('x-request-id'));
  try {
    await takeEvent(request, runtime);
    return toFetchResponse(jsonResponse(200, { message: 'received' }, { 'X-Request-Id': requestId }));
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (error.status >= 500)
      runtime.log.error('payment_event.apply_failed', { requestId, error: error.cause ?? error });
    return toFetchResponse(errorResponse(error, { requestId, baseUrl: runtime.settings.baseUrl }));
  }
}

/**
 * @throws GatewayError NOT_FOUND, PAYLOAD_TOO_LARGE, INVALID_INPUT, and what applying the event
 *   throws
 */
async function takeEvent(
  request: Request,
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
): Promise<void> {
  const { payments } = runtime.ports;
  if (!payments) throw new GatewayError('NOT_FOUND', { message: 'This gateway sells no credit.' });
  const rawBody = await readText(request);
  try {
    await receiveEvent(runtime, payments, { rawBody, signature: request.headers.get('stripe-signature') });
  } catch (error) {
    if (!(error instanceof ForgedEvent)) throw error;
    runtime.log.warn('payment_event.rejected', { error });
    throw new GatewayError('INVALID_INPUT', {
      message: error.message,
      hint: 'Sign the event with the secret of this endpoint, and send it within minutes.',
      cause: error,
    });
  }
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new GatewayError('INVALID_INPUT', { message: 'The event body is incomplete.', cause: error });
  }
  if (size > MAX_BODY_BYTES)
    throw new GatewayError('PAYLOAD_TOO_LARGE', {
      message: 'The event is too large.',
      hint: `Events must be at most ${MAX_BODY_BYTES} bytes.`,
    });
  return Buffer.concat(chunks).toString('utf8');
}
