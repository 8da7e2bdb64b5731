import type { components } from './generated/openapi.js';

/** The body of every error response, as the OpenAPI document describes it. */
export type ErrorBody = components['schemas']['Error'];
type ErrorDetail = ErrorBody['error'];

/** Error categories; branch on these or on `code`. */
export type ErrorType = ErrorDetail['type'];

const NO_HINT = 'Try again. If it persists, ask the operator of this gateway.';

/**
 * A failed request. `code`, `type` and `hint` come from the error response. Without a response the
 * code is `UNREACHABLE`; for a response that is not from a gateway it is `UNEXPECTED_ANSWER`.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: string;
  readonly type: ErrorType;
  /** What to do next. */
  readonly hint: string;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Seconds (an integer) after which the request may be retried. */
  readonly retryAfter: number | undefined;
  /** The invalid fields of the request, each with the reason. */
  readonly fields: readonly { path: string; message: string }[];
  /** For CLAIM_REQUIRED: where a person claims the key. */
  readonly claimUrl: string | undefined;
  readonly requestId: string | undefined;
  /** Of a call that started and failed. */
  readonly callId: string | undefined;
  /** The complete error response. */
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody, options?: ErrorOptions) {
    super(body.error.message, options);
    const { error } = body;
    this.status = status;
    this.body = body;
    this.code = error.code;
    this.type = error.type;
    this.hint = error.resolution_hint;
    this.retryAfter = error.retry_after;
    this.fields = error.fields ?? [];
    this.claimUrl = error.claim_url;
    this.requestId = error.request_id;
    this.callId = error.call_id;
  }
}

/** Creates an error on the client side, in the same shape as the gateway's. */
export function createError(
  detail: { code: string; message: string; type: ErrorType; hint: string; fields?: ErrorDetail['fields'] },
  options?: ErrorOptions & { status?: number },
): GatewayError {
  const { code, message, type, hint, fields } = detail;
  const error = { code, message, type, resolution_hint: hint, ...(fields && { fields }) };
  return new GatewayError(options?.status ?? 0, { status: 'error', error } as ErrorBody, options);
}

/** Converts a failed response to an error; also Problem Details (RFC 9457) and pages of proxies. */
export function toGatewayError(status: number, body: unknown): GatewayError {
  if (isErrorBody(body)) return new GatewayError(status, body);
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const said = problem.detail ?? problem.title;
  return createError(
    {
      code: 'UNEXPECTED_ANSWER',
      message: typeof said === 'string' ? said : describeUnknownResponse(status),
      type: 'server',
      hint: NO_HINT,
    },
    { status },
  );
}

function describeUnknownResponse(status: number): string {
  if (status >= 500) return `The gateway or a proxy responded with status ${status} and no details.`;
  return `The response (status ${status}) is not from a Tool Gateway. Check the base URL.`;
}

/** Whether a value is an error response of the gateway. */
export function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return (
    typeof error === 'object' &&
    error !== null &&
    typeof (error as ErrorDetail).code === 'string' &&
    typeof (error as ErrorDetail).message === 'string'
  );
}
