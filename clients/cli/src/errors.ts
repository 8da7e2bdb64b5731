import type { components } from './generated/openapi.js';

/** The body of every failure, as the document describes it. */
export type ErrorBody = components['schemas']['Error'];
type ErrorDetail = ErrorBody['error'];

/** The families of errors: branch on one of these, or on `code`. */
export type ErrorType = ErrorDetail['type'];

const NO_HINT = 'Try again; if it stays, ask the operator of the gateway.';

/**
 * The gateway, or the way to it, said no. `code`, `type` and `hint` are those of the answer; what never reached the
 * gateway has the code `UNREACHABLE`, and an answer that is not the gateway's own `UNEXPECTED_ANSWER`.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: string;
  readonly type: ErrorType;
  /** What to do next. */
  readonly hint: string;
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Whole seconds after which the same request may be sent again. */
  readonly retryAfter: number | undefined;
  /** Fields of the request that are wrong, each with the reason. */
  readonly fields: readonly { path: string; message: string }[];
  /** On CLAIM_REQUIRED: where a person takes the key over. */
  readonly claimUrl: string | undefined;
  readonly requestId: string | undefined;
  /** The whole body, in the shape of the document. */
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
  }
}

/** An error of our own making, in the shape of the gateway's. */
export function ownError(
  detail: { code: string; message: string; type: ErrorType; hint: string; fields?: ErrorDetail['fields'] },
  options?: ErrorOptions & { status?: number },
): GatewayError {
  const { code, message, type, hint, fields } = detail;
  const error = { code, message, type, resolution_hint: hint, ...(fields && { fields }) };
  return new GatewayError(options?.status ?? 0, { status: 'error', error } as ErrorBody, options);
}

/** The error that an answer with a failing status carries. Problem details (RFC 9457) and pages of proxies too. */
export function errorOf(status: number, body: unknown): GatewayError {
  if (isErrorBody(body)) return new GatewayError(status, body);
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const said = problem.detail ?? problem.title;
  return ownError(
    {
      code: 'UNEXPECTED_ANSWER',
      message: typeof said === 'string' ? said : unknownAnswer(status),
      type: 'server',
      hint: NO_HINT,
    },
    { status },
  );
}

function unknownAnswer(status: number): string {
  if (status >= 500)
    return `The gateway, or something on the way to it, answered ${status} without a reason.`;
  return `The answer has status ${status}, and is not one of a Tool Gateway. Is the base URL right?`;
}

/** Whether a value has the shape that every failure of the gateway has. */
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
