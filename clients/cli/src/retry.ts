import { setTimeout as wait } from 'node:timers/promises';
import { createError, type GatewayError } from './errors.js';

/** Maximum number of attempts per request, including the first. */
const MAX_TRIES = 4;
/** If Retry-After is longer, the error is returned to the caller instead of retrying. */
const MAX_WAIT_SECONDS = 60;
const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;

/** Retryable statuses: identical request in progress, too many requests, unavailable. */
const TRANSIENT = new Set([409, 429, 503]);

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface RetryOptions {
  /** Set to false to send every request once. */
  retry?: boolean;
  /** Called before each retry; `status` is 0 if there was no response. */
  onRetry?: (wait: { status: number; seconds: number }) => void;
  /** Called when a response announces a deprecation. */
  onDeprecated?: (notice: Deprecation) => void;
  fetch?: typeof fetch;
}

/** A deprecation announced by a response (RFC 9745, RFC 8594). */
export interface Deprecation {
  /** When it was deprecated. */
  since: Date | undefined;
  /** When it stops working, if known. */
  stops: Date | undefined;
  /** The Link header, with links to migration instructions. */
  link: string | undefined;
}

/**
 * Sends a request and retries it when that is safe: it is a read or has an Idempotency-Key, and
 * there was no response, or a 409, 429 or 503 with a Retry-After of at most a minute.
 * @param make creates the request for each attempt, since a body can be sent only once
 * @throws GatewayError UNREACHABLE, or UNEXPECTED_ANSWER for a redirect
 * @throws the reason of the request's signal, when it is aborted
 */
export async function sendWithRetry(
  url: string,
  make: () => RequestInit,
  { retry = true, onRetry, onDeprecated, fetch: send = fetch }: RetryOptions,
): Promise<Response> {
  for (let sent = 1; ; sent++) {
    const init = make();
    const last = !retry || sent >= MAX_TRIES || !isRetryable(init);
    const outcome = await attempt(send, url, init);
    if (outcome instanceof Response) {
      const seconds = getRetryDelay(outcome);
      if (last || seconds === undefined) {
        if (outcome.headers.has('Deprecation')) onDeprecated?.(parseDeprecation(outcome.headers));
        return outcome;
      }
      await outcome.body?.cancel();
      onRetry?.({ status: outcome.status, seconds });
      await pause(seconds * 1000, init.signal);
    } else {
      if (last || outcome.status !== 0) throw outcome;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (sent - 1), MAX_PAUSE_MS);
      onRetry?.({ status: 0, seconds: pauseMs / 1000 });
      await pause(pauseMs, init.signal);
    }
  }
}

/** Waits; on abort throws the reason of the signal, not Node's generic AbortError. */
export async function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  await wait(ms, undefined, { signal: signal ?? undefined }).catch(() => signal?.throwIfAborted());
}

async function attempt(send: typeof fetch, url: string, init: RequestInit): Promise<Response | GatewayError> {
  try {
    // Following a redirect would send provider keys to the target.
    const answer = await send(url, { ...init, redirect: 'manual' });
    return REDIRECTS.has(answer.status) ? createRedirectError(url, answer) : answer;
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    return createError(
      {
        code: 'UNREACHABLE',
        message: `Could not reach ${new URL(url).origin}: ${describeCause(error)}.`,
        type: 'server',
        hint: 'Check the base URL and that the gateway is running, then try again.',
      },
      { cause: error },
    );
  }
}

function createRedirectError(url: string, { status, headers }: Response): GatewayError {
  const location = headers.get('Location');
  const target =
    location !== null && URL.canParse(location, url) ? new URL(location, url).origin : 'elsewhere';
  return createError(
    {
      code: 'UNEXPECTED_ANSWER',
      message: `${new URL(url).origin} redirects to ${target}.`,
      type: 'server',
      hint: 'If that is the gateway, use its URL as the base URL. Redirects are not followed, to protect your keys.',
    },
    { status },
  );
}

function parseDeprecation(headers: Headers): Deprecation {
  const since = /^@(\d{1,12})$/.exec(headers.get('Deprecation') ?? '')?.[1];
  const stops = Date.parse(headers.get('Sunset') ?? '');
  return {
    since: since === undefined ? undefined : new Date(Number(since) * 1000),
    stops: Number.isNaN(stops) ? undefined : new Date(stops),
    link: headers.get('Link') ?? undefined,
  };
}

function isRetryable({ method = 'GET', headers }: RequestInit): boolean {
  return method === 'GET' || method === 'HEAD' || new Headers(headers).has('Idempotency-Key');
}

function getRetryDelay(answer: Response): number | undefined {
  const header = answer.headers.get('Retry-After');
  if (!TRANSIENT.has(answer.status) || header === null) return undefined;
  const seconds = /^\d{1,9}$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isFinite(seconds) && seconds <= MAX_WAIT_SECONDS ? Math.max(0, seconds) : undefined;
}

/** Describes the cause behind fetch's generic "fetch failed". */
function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return cause.message || code || cause.name;
}
