import { usdFromMicrousd } from '../../kit/money';
import type { ErrorCode } from '../errors/catalogue';
import { type ErrorDetails, GatewayError } from '../errors/gateway-error';
import type { Reply } from '../trpc/context';
import type { KeptAnswer } from './store';

/**
 * Gives a kept answer as it was given first.
 * @throws GatewayError the kept failure
 */
export function giveAgain<T extends object>({ reply }: { reply: Reply }, kept: KeptAnswer): T {
  if (kept.status >= 400) throw keptError(kept);
  reply.status = kept.status as 200 | 201 | 202;
  const { poll_url: pollUrl } = kept.reply;
  if (kept.status === 202 && typeof pollUrl === 'string') reply.headers.Location = pollUrl;
  return keptBody<T>(kept);
}

/** The body of a kept success; what the account had left was not known when it was written. */
export function keptBody<T extends object>({ reply, available }: KeptAnswer): T {
  const { usage } = reply as { usage?: { credits_remaining?: number } };
  if (available !== null && usage) usage.credits_remaining = usdFromMicrousd(available);
  // It was written as a T, by the act whose answer it is.
  return reply as T;
}

/** A kept failure with its own words and request id, so that it reads as it did the first time. */
export function keptError({ reply }: KeptAnswer): GatewayError {
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
  return new GatewayError(code, { message, hint: resolution_hint, details });
}
