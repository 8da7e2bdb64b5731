import type { Hint } from './hint';

/** The seven error types a client may branch on (contract section 3). */
export type ErrorType =
  | 'auth'
  | 'billing'
  | 'rate_limit'
  | 'validation'
  | 'provider'
  | 'not_found'
  | 'server';

interface CatalogueEntry {
  /** HTTP status of a response with this code. */
  readonly status: number;
  readonly type: ErrorType;
  /** The default and the example in OpenAPI; a thrower may pass a more precise one. */
  readonly message: string;
  /** What the client should do next; the response's `resolution_hint`. */
  readonly hint: Hint;
}

/**
 * Every error code of the gateway. The error pages, the OpenAPI document and the response bodies
 * are generated from this table; `calls/admission/refusal-error.ts` has more precise messages.
 */
export const ERRORS = {
  TOOL_NOT_FOUND: {
    status: 404,
    type: 'not_found',
    message: 'No tool has this name.',
    hint: {
      rest: 'Find the name with GET /v1/tools or GET /v1/tools/search?q=…',
      mcp: 'Find the name with search_tools.',
    },
  },
  SKILL_NOT_FOUND: {
    status: 404,
    type: 'not_found',
    message: 'The tool has no skill of this name.',
    hint: {
      rest: 'List the skills with GET /v1/tools/{tool}/skills.',
      mcp: 'List the skills with get_tool.',
    },
  },
  NOT_FOUND: {
    status: 404,
    type: 'not_found',
    message: 'Not found.',
    hint: {
      rest: 'Check the path and the id; GET /openapi.json lists every route.',
      mcp: 'Check the id: list_jobs, list_assets and get_usage return those of this account.',
    },
  },
  ASSET_NOT_FOUND: {
    status: 404,
    type: 'not_found',
    message: 'The asset does not exist.',
    hint: {
      rest: 'Check the asset id, or upload the file again with POST /v1/assets/upload.',
      mcp: 'Check the asset_id with list_assets, or upload the file again with upload_asset.',
    },
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
    hint: {
      rest: 'Read the job with GET /v1/jobs/{jobId}; it may have finished already.',
      mcp: 'Read the job with get_job; it may have finished already.',
    },
  },
  AUTH_REQUIRED: {
    status: 401,
    type: 'auth',
    message: 'This route requires an API key.',
    hint: {
      rest: 'Send Authorization: Bearer <API key>. POST /v1/auth/provision gives you one without signing up.',
      mcp: 'Call get_key: it returns a key without signing up, and how to set it for this server.',
    },
  },
  AUTH_FAILED: {
    status: 401,
    type: 'auth',
    message: 'The API key is not valid.',
    hint: {
      rest: 'Check that the key is complete and not revoked, or get a new one with POST /v1/auth/provision.',
      mcp: 'Ask the user to check the key that is set for this server: it must be complete and not revoked. Without one, get_key returns a new key.',
    },
  },
  MISSING_CREDENTIALS: {
    status: 401,
    type: 'auth',
    message: 'The tool needs a provider credential that is not configured.',
    hint: {
      rest: 'Save it with PUT /v1/account/requirements/{name}, or send it as X-Provider-Key-<provider>.',
      mcp: 'Ask the user to save it in the dashboard under Provider keys.',
    },
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    type: 'billing',
    message: 'The credit does not cover this call.',
    hint: 'Add credit in the dashboard under Billing, or call a free skill.',
  },
  COST_LIMIT_EXCEEDED: {
    status: 402,
    type: 'billing',
    message: 'The call can cost more than max_cost_usd.',
    hint: 'Raise max_cost_usd to error.quote.max_usd, or choose a smaller input: error.cost_fields names the fields that set the price.',
  },
  CLAIM_REQUIRED: {
    status: 403,
    type: 'auth',
    message: 'This requires a claimed account.',
    hint: 'Send claim_url to a person. Once they claim the account, this key can call paid tools, and manage the account if they allow it.',
  },
  FORBIDDEN: {
    status: 403,
    type: 'auth',
    message: 'This key may not do that.',
    hint: 'Use an account that the owner of the key is a member of, or ask the operator of this gateway.',
  },
  KEY_RESTRICTED: {
    status: 403,
    type: 'auth',
    message: 'This key may call tools, but not manage the account.',
    hint: 'Use a key that manages the account and has no credit limit or rules, or sign in to the dashboard.',
  },
  TOOL_NOT_ALLOWED: {
    status: 403,
    type: 'auth',
    message: 'This key may not call the tool.',
    hint: 'Call a tool in allowed_tools of the key, use another key, or ask the owner of the account to add the tool.',
  },
  IP_NOT_ALLOWED: {
    status: 403,
    type: 'auth',
    message: 'This key may not be used from this address.',
    hint: 'Send the request from a network in allowed_ips of the key, or ask the owner of the account to add this address.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    type: 'validation',
    message: 'This path does not support the request method.',
    hint: {
      rest: 'Use one of the methods in the Allow header.',
      mcp: 'Use a method of the protocol, such as tools/list or tools/call.',
    },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    type: 'validation',
    message: 'The request body is too large.',
    hint: {
      rest: 'Keep JSON bodies under 1 MiB. Upload larger content with POST /v1/assets/upload, and give a tool its asset_id.',
      mcp: 'Keep messages under 1 MiB. Give a tool larger content as a public URL, or ask the user to upload the file in the dashboard under Assets.',
    },
  },
  PRECONDITION_FAILED: {
    status: 412,
    type: 'validation',
    message: 'The resource does not match If-Match.',
    hint: {
      rest: 'Omit If-Match to get the current version and its ETag.',
      mcp: 'Read the resource again.',
    },
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    type: 'validation',
    message: 'The range starts beyond the end of the asset.',
    hint: {
      rest: 'Request a range within the size in Content-Range, or omit the Range header.',
      mcp: 'Read the whole resource.',
    },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    type: 'validation',
    message: 'The request body must be JSON.',
    hint: {
      rest: 'Send Content-Type: application/json.',
      mcp: 'Send the message as application/json.',
    },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    type: 'validation',
    message: 'A request with this Idempotency-Key is still running.',
    hint: {
      rest: 'Wait for Retry-After and send the same request again.',
      mcp: 'Wait retry_after seconds and make the same call again.',
    },
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    type: 'validation',
    message: 'This Idempotency-Key was already used with a different request.',
    hint: {
      rest: 'Use a new Idempotency-Key for a new request.',
      mcp: 'Use a new tool-gateway/idempotencyKey in _meta for a new call.',
    },
  },
  CLAIM_CONFLICT: {
    status: 409,
    type: 'validation',
    message: 'This account was already claimed by someone else.',
    hint: {
      rest: 'Ask the owner of the account, or get a new key with POST /v1/auth/provision.',
      mcp: 'Ask the owner of the account, or get a new key with get_key.',
    },
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    type: 'rate_limit',
    message: 'Too many requests.',
    hint: {
      rest: 'Wait for the number of seconds in Retry-After and try again.',
      mcp: 'Wait retry_after seconds and try again.',
    },
  },
  SPENDING_LIMIT_EXCEEDED: {
    status: 429,
    type: 'rate_limit',
    message: 'This would exceed the monthly spending limit of the account.',
    hint: {
      rest: 'Raise budgetLimit in the billing preferences, or wait for the next month.',
      mcp: 'Ask the user to raise the spending limit in the dashboard under Billing, or wait for the next month.',
    },
  },
  JOBS_DISABLED: {
    status: 501,
    type: 'server',
    message: 'Jobs are disabled on this deployment.',
    hint: 'Call the skill with an input that takes less time, or ask the operator of this gateway to enable jobs.',
  },
  HANDLER_ERROR: {
    status: 502,
    type: 'provider',
    message: 'The tool failed.',
    hint: 'Nothing was charged. If the message names a fault of the input, correct it; otherwise try again later, or use another tool.',
  },
  TOOL_UNAVAILABLE: {
    status: 503,
    type: 'server',
    message: 'This gateway is missing a dependency of the tool.',
    hint: {
      rest: 'Use another tool; `available` in GET /v1/tools shows which ones work here. The operator can install the dependency.',
      mcp: 'Use another tool; `available` in search_tools shows which ones work here. The operator can install the dependency.',
    },
  },
  INTERNAL: {
    status: 500,
    type: 'server',
    message: 'Something went wrong on our side.',
    hint: 'Try again; if it persists, report the request_id to the operator.',
  },
  UNAVAILABLE: {
    status: 503,
    type: 'server',
    message: 'The gateway cannot answer right now.',
    hint: {
      rest: 'Try again after the number of seconds in Retry-After.',
      mcp: 'Try again after retry_after seconds.',
    },
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** All codes, in the order of the table. */
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
