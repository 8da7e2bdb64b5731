import { receiveEvent } from '../payments/receive-event';
import { ForgedEvent, PaymentsUnavailable } from '../ports/ports';
import { getRuntime, type Runtime } from '../runtime';

/** Stripe's largest events are far smaller. */
const MAX_BODY_BYTES = 512 * 1024;

/** The webhook of the payment provider: the body is verified as the bytes that came, never as JSON written again. */
export async function handlePaymentWebhook(
  request: Request,
  runtime: Runtime = getRuntime(),
): Promise<Response> {
  const { payments } = runtime.ports;
  if (!payments) return answer(404, 'This gateway sells no credit.');
  const rawBody = await readText(request);
  if (rawBody === null) return answer(413, 'The event is too large.');
  try {
    await receiveEvent(runtime, payments, { rawBody, signature: request.headers.get('stripe-signature') });
    return answer(200, 'received');
  } catch (error) {
    if (error instanceof ForgedEvent) {
      runtime.log.warn('a payment event was refused', { error });
      return answer(400, error.message);
    }
    // The provider sends it again.
    runtime.log.error('a payment event was not applied', { error });
    return answer(error instanceof PaymentsUnavailable ? 503 : 500, 'Send it again later.');
  }
}

function answer(status: number, message: string): Response {
  const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
  return Response.json({ message }, { status, headers });
}

async function readText(request: Request): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
