import { ERRORS, type ErrorCode } from './catalogue';
import type { Hint } from './hint';
import type { ProviderKey } from './schema';

/** One invalid field of a request: its path (`input.width`, `calls[2].tool`) and how to fix it. */
export interface FieldError {
  path: string;
  message: string;
}

/** Machine-readable details of an error. Never contains a local path or SQL. */
export interface ErrorDetails {
  fields?: FieldError[];
  /**
   * The limit that was exceeded: the name of a window, `concurrency`, `account`, `key`, `debt`,
   * `month`.
   */
  limit?: string;
  claim_url?: string | undefined;
  /** The key that holds what was paid for the call: the only secret, for its payer only. */
  api_key?: string;
  top_up?: { url: string };
  /** The most that the refused call can cost, and the quote to make it at that price. */
  quote?: { max_usd: number; id?: string; expires_at?: string };
  /** The input fields that set the cost of the refused call. */
  cost_fields?: string[];
  /** Credentials, any one of which is sufficient. */
  missing?: ProviderKey[];
  /** Whole seconds after which the same request may succeed. */
  retry_after?: number;
  /** Present on errors of tool calls, where it is always false. */
  billed?: boolean;
  /** The call that ran and failed; a call that was refused has no id. */
  call_id?: string;
  /** Only on a replayed failure: the request that failed first. */
  request_id?: string;
}

interface GatewayErrorOptions {
  message?: string | undefined;
  /** A text per transport where it names a route, a header or another thing of one transport. */
  hint?: Hint | undefined;
  details?: ErrorDetails | undefined;
  /** Response headers of this error (rate limits, Allow). */
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * In the registry of all modules: Next bundles pages and `instrumentation.ts` apart, so the class
 * exists twice in a process, and each copy must recognize errors of the other.
 */
const IS_GATEWAY_ERROR = Symbol.for('tool-gateway.GatewayError');

/**
 * The only class of errors that clients see. Its text is safe to show; internals (a database
 * message, a stack) are in `cause`, which only the log receives.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly hint: Hint;
  readonly details: ErrorDetails;
  readonly headers: Record<string, string>;
  readonly [IS_GATEWAY_ERROR] = true;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: `this` may be a subclass
    if (this !== GatewayError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && IS_GATEWAY_ERROR in value;
  }

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
