import { Webhook } from 'standardwebhooks';
import { isSkillError } from '../../core/errors/skill-error';
import type { Runtime } from '../../core/runtime';
import { decodeText } from '../../kit/decode-text.mjs';
import { readUpTo } from '../../kit/read-up-to';
import type { AttemptRecord, LeasedDelivery } from './delivery-store';
import { SEND_TIMEOUT_MS } from './limits';
import { renderPayload } from './render-payload';

/** How much of a response is stored for the log. */
const MAX_LOGGED_BYTES = 2_048;

export interface SentWebhook {
  attempt: AttemptRecord;
  delivered: boolean;
  retryAfter: string | null;
}

/**
 * Sends one webhook, signed with all secrets. Only a 2xx response is a success: redirects are not
 * followed. Never throws.
 * @returns null if `stopping` ended the request
 */
export async function sendWebhook(
  { ports, settings, log }: Pick<Runtime, 'ports' | 'settings' | 'log'>,
  delivery: LeasedDelivery & { url: string },
  secrets: readonly string[],
  stopping?: AbortSignal,
): Promise<SentWebhook | null> {
  const body = JSON.stringify(renderPayload(delivery.payload, settings.baseUrl));
  const at = new Date();
  const requestHeaders = {
    'content-type': 'application/json',
    'webhook-id': delivery.event_id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  };
  const signature = secrets.map((secret) => new Webhook(secret).sign(delivery.event_id, at, body)).join(' ');
  const began = performance.now();
  const record = (result: Pick<AttemptRecord, 'status' | 'responseBody' | 'error'>): AttemptRecord => ({
    url: delivery.url,
    requestHeaders,
    durationMs: Math.round(performance.now() - began),
    ...result,
  });
  try {
    const response = await ports.outbound(delivery.url, {
      method: 'POST',
      headers: { ...requestHeaders, 'webhook-signature': signature },
      body,
      redirect: 'manual',
      timeoutMs: SEND_TIMEOUT_MS,
      ...(stopping && { signal: stopping }),
    });
    const { status } = response;
    const responseBody = await readBody(response);
    const delivered = status >= 200 && status < 300;
    const error = delivered ? null : describeStatus(status);
    return {
      attempt: record({ status, responseBody, error }),
      delivered,
      retryAfter: response.headers.get('retry-after'),
    };
  } catch (error) {
    if (stopping?.aborted) return null;
    if (!isSkillError(error)) log.warn('webhook.send_failed', { deliveryId: delivery.id, error });
    const message = isSkillError(error) ? error.message : 'The request failed.';
    return {
      attempt: record({ status: null, responseBody: null, error: message }),
      delivered: false,
      retryAfter: null,
    };
  }
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400)
    return `The endpoint answered ${status}: redirects are not followed. Change the URL.`;
  return `The endpoint answered ${status}; only 2xx is a success.`;
}

/** The start of the body; PostgreSQL stores no NUL. The status decides, so errors are ignored. */
async function readBody(response: Response): Promise<string> {
  const bytes = await readUpTo(response, MAX_LOGGED_BYTES).catch(() => new Uint8Array());
  const cut = bytes.byteLength === MAX_LOGGED_BYTES;
  const { text } = await decodeText(bytes, response.headers.get('content-type') ?? '', { cut });
  return text.replaceAll('\0', '');
}
