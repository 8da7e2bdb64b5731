/** The seven families a client may branch on (contract section 3). */
export type ErrorType =
  | 'auth'
  | 'billing'
  | 'rate_limit'
  | 'validation'
  | 'provider'
  | 'not_found'
  | 'server';

interface CatalogueEntry {
  /** HTTP status of an answer with this code. */
  readonly status: number;
  readonly type: ErrorType;
  /** The message where the thrower has nothing more exact to say. */
  readonly message: string;
  /** What the client should do next; shown as `resolution_hint`. */
  readonly hint: string;
}

/**
 * Every code the gateway answers with. The documentation, the OpenAPI document and the envelope are
 * made from it.
 */
export const ERRORS = {
  TOOL_NOT_FOUND: {
    status: 404,
    type: 'not_found',
    message: 'No tool has this name.',
    hint: 'Look the name up with GET /v1/tools or GET /v1/tools/search?q=…',
  },
  SKILL_NOT_FOUND: {
    status: 404,
    type: 'not_found',
    message: 'The tool has no skill of this name.',
    hint: 'List the skills with GET /v1/tools/{tool}/skills.',
  },
  NOT_FOUND: {
    status: 404,
    type: 'not_found',
    message: 'There is nothing here.',
    hint: 'Check the path and the id; GET /openapi.json lists every route.',
  },
  ASSET_NOT_FOUND: {
    status: 404,
    type: 'not_found',
    message: 'There is no such asset.',
    hint: 'Check the asset id, or upload the file again with POST /v1/assets/upload.',
  },
  INVALID_INPUT: {
    status: 400,
    type: 'validation',
    message: 'The request is not valid.',
    hint: 'Correct the fields named in error.fields and send the request again.',
  },
  JOB_NOT_RUNNING: {
    status: 400,
    type: 'validation',
    message: 'Only a running job can be cancelled.',
    hint: 'Read the job with GET /v1/jobs/{jobId}; it may have finished already.',
  },
  AUTH_REQUIRED: {
    status: 401,
    type: 'auth',
    message: 'This route needs an API key.',
    hint: 'Send Authorization: Bearer <API key>. POST /v1/auth/provision gives you one without signing up.',
  },
  AUTH_FAILED: {
    status: 401,
    type: 'auth',
    message: 'The API key is not valid.',
    hint: 'Check that the key is whole and not revoked, or get a new one with POST /v1/auth/provision.',
  },
  MISSING_CREDENTIALS: {
    status: 401,
    type: 'auth',
    message: 'The tool needs a provider credential that is not configured.',
    hint: 'Save it with PUT /v1/account/requirements/{name}, or send it as X-Provider-Key-<provider>.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    type: 'billing',
    message: 'The credit does not cover this call.',
    hint: 'Add credit in the dashboard under Billing, or call a free skill.',
  },
  CLAIM_REQUIRED: {
    status: 403,
    type: 'auth',
    message: 'This needs a claimed account.',
    hint: 'Give claim_url to a person: once they have claimed it, this key calls paid tools, and manages the account if they allow it.',
  },
  FORBIDDEN: {
    status: 403,
    type: 'auth',
    message: 'This key may not do that.',
    hint: 'Use an account that the owner of the key is a member of, or ask the operator.',
  },
  KEY_RESTRICTED: {
    status: 403,
    type: 'auth',
    message: 'This key may call tools, but not manage the account.',
    hint: 'Use a key that manages the account and has no allowance, or sign in to the dashboard.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    type: 'validation',
    message: 'This path does not answer that method.',
    hint: 'Use one of the methods in the Allow header.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    type: 'validation',
    message: 'The request body is too large.',
    hint: 'Keep JSON bodies under 1 MiB.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    type: 'validation',
    message: 'The resource is not the version that If-Match asks for.',
    hint: 'Leave If-Match out to get the current version, whose ETag is in the answer.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    type: 'validation',
    message: 'The range begins behind the end of the asset.',
    hint: 'Ask for a range within the size in Content-Range, or leave the Range header out.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    type: 'validation',
    message: 'The request body must be JSON.',
    hint: 'Send Content-Type: application/json.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    type: 'validation',
    message: 'A request with this Idempotency-Key is still running.',
    hint: 'Wait for Retry-After and send the same request again.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    type: 'validation',
    message: 'This Idempotency-Key was used with another body.',
    hint: 'Use a new Idempotency-Key for a new request.',
  },
  CLAIM_CONFLICT: {
    status: 409,
    type: 'validation',
    message: 'This account was already claimed by someone else.',
    hint: 'Ask whoever holds the key, or get a new one with POST /v1/auth/provision.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    type: 'rate_limit',
    message: 'Too many requests.',
    hint: 'Wait for the number of seconds in Retry-After and try again.',
  },
  SPENDING_LIMIT_EXCEEDED: {
    status: 429,
    type: 'rate_limit',
    message: 'The monthly spending limit of the account would be passed.',
    hint: 'Raise budgetLimit in the billing preferences, or wait for the next month.',
  },
  JOBS_DISABLED: {
    status: 501,
    type: 'server',
    message: 'This deployment runs no jobs.',
    hint: 'Call the skill with an input that finishes sooner, or ask the operator to enable jobs.',
  },
  HANDLER_ERROR: {
    status: 502,
    type: 'provider',
    message: 'The tool failed.',
    hint: 'Nothing was charged. Try again later, or use another tool.',
  },
  TOOL_UNAVAILABLE: {
    status: 503,
    type: 'server',
    message: 'This gateway lacks what the tool needs.',
    hint: 'Use another tool: available in GET /v1/tools says which ones work here. The operator can install what is missing.',
  },
  INTERNAL: {
    status: 500,
    type: 'server',
    message: 'Something went wrong on our side.',
    hint: 'Try again; if it stays, give the request_id to the operator.',
  },
  UNAVAILABLE: {
    status: 503,
    type: 'server',
    message: 'The gateway cannot answer right now.',
    hint: 'Try again after the number of seconds in Retry-After.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** All codes, in the order of the catalogue. */
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
