import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { ErrorCode } from './catalogue';
import { isUnavailable } from './database-codes';
import { fieldErrors, invalidFields } from './field-errors';
import { GatewayError } from './gateway-error';
import { PaymentsUnavailable } from './payments-unavailable';

/** Ours for the codes of tRPC that blame the request. */
const CODES: Partial<Record<TRPCError['code'], ErrorCode>> = {
  NOT_FOUND: 'NOT_FOUND',
  BAD_REQUEST: 'INVALID_INPUT',
  PARSE_ERROR: 'INVALID_INPUT',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  PAYLOAD_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
};

/** Converts anything thrown to a GatewayError. Unknown errors become INTERNAL with a `cause`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof TRPCError) {
    if (thrown.cause instanceof GatewayError) return thrown.cause;
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof ZodError)
      return invalidFields(fieldErrors(thrown.cause));
    const code = CODES[thrown.code];
    return code ? new GatewayError(code, { cause: thrown }) : fromForeign(thrown.cause ?? thrown);
  }
  return fromForeign(thrown);
}

/** An unavailable database (down, restarting, out of connections) is 503, everything else 500. */
function fromForeign(thrown: unknown): GatewayError {
  if (thrown instanceof PaymentsUnavailable)
    return new GatewayError('UNAVAILABLE', {
      message: 'The payment provider does not respond.',
      details: { retry_after: 5 },
      cause: thrown,
    });
  const code = databaseCode(thrown);
  if (code && isUnavailable(code))
    return new GatewayError('UNAVAILABLE', { details: { retry_after: 5 }, cause: thrown });
  // 22P05 / 22021: text Postgres cannot store (\u0000, lone surrogates).
  if (code === '22P05' || code === '22021')
    return new GatewayError('INVALID_INPUT', {
      message: 'The text contains characters that cannot be stored (NUL or lone surrogates).',
      cause: thrown,
    });
  return new GatewayError('INTERNAL', { cause: thrown });
}

function databaseCode(thrown: unknown): string | null {
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string') return code;
  }
  return null;
}
