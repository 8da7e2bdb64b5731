import { usdFromMicrousd } from '../../kit/money';
import type { ErrorCode } from '../errors/catalogue';
import { readStoredHint } from '../errors/error-body';
import { type ErrorDetails, GatewayError } from '../errors/gateway-error';
import { joinHints } from '../errors/hint';
import type { Reply } from '../trpc/context';
import type { StoredResponse } from './store';

/**
 * Replays a stored response, with its status and Location header.
 * @throws GatewayError the stored failure
 */
export function replayResponse<T extends object>({ reply }: { reply: Reply }, stored: StoredResponse): T {
  if (stored.status >= 400) throw toReplayedError(stored);
  reply.status = stored.status as 200 | 201 | 202;
  const { poll_url: pollUrl } = stored.reply;
  if (stored.status === 202 && typeof pollUrl === 'string') reply.headers.Location = pollUrl;
  return toReplayedBody<T>(stored);
}

/** The body of a stored success. Adds the balance, which was unknown when the body was stored. */
export function toReplayedBody<T extends object>({ reply, available }: StoredResponse): T {
  const { usage } = reply as { usage?: { credits_remaining?: number } };
  if (available !== null && usage) usage.credits_remaining = usdFromMicrousd(available);
  // The procedure that replays the response also stored it, as a T.
  return reply as T;
}

export const REPLAYED_HINT = {
  rest: 'This is the stored response of an earlier request, which never runs again. A new request does: send no Idempotency-Key, or another one.',
  mcp: 'This is the stored result of an earlier call, which never runs again. A new call does: send no tool-gateway/idempotencyKey, or another one.',
} as const;

/** The stored failure for a repeated request: its own hint may advise to repeat it. */
export function toReplayedError(stored: StoredResponse): GatewayError {
  const { code, message, hint, details, cause } = toStoredError(stored);
  return new GatewayError(code, { message, hint: joinHints(REPLAYED_HINT, hint), details, cause });
}

/** Restores a stored failure with its message and ids, identical to the first response. */
export function toStoredError({ reply, callId }: StoredResponse): GatewayError {
  const {
    code,
    message,
    resolution_hint,
    type: _,
    ...details
  } = reply.error as ErrorDetails & {
    code: ErrorCode;
    message: string;
    resolution_hint: string;
    type: string;
  };
  // The reaper stores one text for all lost calls.
  if (callId !== null) details.call_id ??= callId;
  return new GatewayError(code, { message, hint: readStoredHint({ code, resolution_hint }), details });
}
