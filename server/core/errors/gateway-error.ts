import { ERRORS, type ErrorCode } from './catalogue';

/** One wrong field of a request: where it is (`input.width`, `calls[2].tool`) and how to mend it. */
export interface FieldError {
  path: string;
  message: string;
}

/** What a program needs beside the code in order to act. Never holds a secret, a path of the machine or SQL. */
export interface ErrorDetails {
  fields?: FieldError[];
  /** Which limit refused: `minute`, `hour`, `concurrency`, `account`, `key`, `debt`, `month`. */
  limit?: string;
  claim_url?: string;
  top_up?: { url: string };
  /** Credentials any one of which would do. */
  missing?: { name: string; displayName: string; acquireUrl: string }[];
  /** Whole seconds after which the same request may succeed. */
  retry_after?: number;
  /** Said on everything about a tool call; false whenever an error is the answer. */
  billed?: boolean;
  /** Only on a kept failure that is given again: the request that met it. */
  request_id?: string;
}

interface GatewayErrorOptions {
  message?: string;
  hint?: string;
  details?: ErrorDetails;
  /** Response headers that belong to this refusal (rate limits, Allow). */
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * The one class of every refusal and failure a client may see. Its text is safe to show; what is not
 * (a database message, a stack) travels in `cause` and goes to the log alone.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: ErrorDetails;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: GatewayErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.hint = options.hint ?? ERRORS[code].hint;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
