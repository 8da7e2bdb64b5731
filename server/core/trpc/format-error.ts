import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { NEEDS_UPLOAD } from '../../kit/needs-upload';
import { UNKNOWN_FIELD } from '../../kit/strict-input';
import { isUnavailable } from '../errors/database-codes';
import { errorBody } from '../errors/error-body';
import { type ErrorDetails, type FieldError, GatewayError } from '../errors/gateway-error';
import { PaymentsUnavailable } from '../errors/payments-unavailable';
import { isPredicate } from '../errors/plain-issues';

/** Limits of what is repeated to the client: invalid fields, and characters of an unknown name. */
const MAX_FIELDS = 50;
const MAX_NAME = 64;

const UPLOAD_HINT = {
  rest: 'Upload the file with POST /v1/assets/upload (multipart, field `file`) and give the asset_id that it returns. The CLI uploads a path that is given as a flag.',
  mcp: 'Upload the file with upload_asset and give the asset_id that it returns.',
} as const;

/** Formats zod's path as `input.items[2].name`; `body` for an empty path. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let out = '';
  for (const part of path) {
    if (typeof part === 'number') out += `[${part}]`;
    else out += out === '' ? String(part) : `.${String(part)}`;
  }
  return out === '' ? 'body' : out;
}

/** Converts zod issues to field errors: which field, what is wrong, and what is expected. */
export function fieldErrors(error: ZodError, prefix = ''): FieldError[] {
  return error.issues.slice(0, MAX_FIELDS).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys' || !issue.message.startsWith(UNKNOWN_FIELD))
      return [fieldError(issue, prefix)];
    // `strictInput` writes one line per unknown field.
    return issue.message.split('\n').map((message, index) => {
      const path = [...issue.path, issue.keys[index]?.slice(0, MAX_NAME) ?? ''];
      return { path: fieldPath(prefix === '' ? path : [prefix, ...path]), message };
    });
  });
}

/** Repeats only numbers from the input: other values may be a secret in the wrong field. */
export function fieldError({ path: at, message }: ZodError['issues'][number], prefix = ''): FieldError {
  const path = fieldPath(prefix === '' ? at : [prefix, ...at]);
  return { path, message: isPredicate(message) ? `\`${path}\` ${message}` : message };
}

/**
 * Creates an INVALID_INPUT error for these fields, with the message of the first, or of one that
 * is misspelt: then the missing field is not missing.
 */
export function invalidFields(fields: FieldError[], details?: ErrorDetails): GatewayError {
  const first = fields.find(isMisspelt) ?? fields[0];
  const names = [`\`${first?.path}\``, UNKNOWN_FIELD].some((start) => first?.message.startsWith(start));
  return new GatewayError('INVALID_INPUT', {
    message: first && (names ? first.message : `${first.path}: ${first.message}`),
    hint: fields.some(({ message }) => message.includes(NEEDS_UPLOAD)) ? UPLOAD_HINT : undefined,
    details: { fields, ...details },
  });
}

function isMisspelt({ message }: FieldError): boolean {
  return message.startsWith(UNKNOWN_FIELD) && message.includes('Did you mean');
}

/** Converts anything thrown to a GatewayError. Unknown errors become INTERNAL with a `cause`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof TRPCError) {
    if (thrown.cause instanceof GatewayError) return thrown.cause;
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof ZodError) {
      return invalidFields(fieldErrors(thrown.cause));
    }
    if (thrown.code === 'NOT_FOUND') return new GatewayError('NOT_FOUND', { cause: thrown });
    if (thrown.code === 'BAD_REQUEST' || thrown.code === 'PARSE_ERROR')
      return new GatewayError('INVALID_INPUT', { cause: thrown });
    if (thrown.code === 'METHOD_NOT_SUPPORTED')
      return new GatewayError('METHOD_NOT_ALLOWED', { cause: thrown });
    if (thrown.code === 'UNSUPPORTED_MEDIA_TYPE')
      return new GatewayError('UNSUPPORTED_MEDIA_TYPE', { cause: thrown });
    if (thrown.code === 'PAYLOAD_TOO_LARGE') return new GatewayError('PAYLOAD_TOO_LARGE', { cause: thrown });
    return fromForeign(thrown.cause ?? thrown);
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

interface FormatterInput {
  error: TRPCError;
  shape: { message: string; code: number; data: { code: string; httpStatus: number; path?: string } };
  ctx?: { requestId: string; runtime: { settings: { baseUrl: string } } } | undefined;
}

/** tRPC's error shape for the dashboard: our Error object under `data.gateway`, without a stack. */
export function formatError({ error, shape, ctx }: FormatterInput) {
  const known = toGatewayError(error);
  return {
    ...shape,
    message: known.message,
    data: {
      code: shape.data.code,
      httpStatus: known.status,
      path: shape.data.path,
      gateway: errorBody(known, ctx?.requestId ?? '', ctx?.runtime.settings.baseUrl ?? '').error,
    },
  };
}
