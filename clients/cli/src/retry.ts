import { setTimeout as wait } from 'node:timers/promises';
import { type GatewayError, ownError } from './errors.js';

/** How often one request is sent in all, the first time included. */
const MAX_TRIES = 4;
/** A gateway that asks for a longer wait is believed, and its refusal handed on. */
const MAX_WAIT_SECONDS = 60;
const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;

/** Statuses that say "not now": too many, an equal request still runs, away for a moment. */
const TRANSIENT = new Set([409, 429, 503]);

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface RetryOptions {
  /** False: every request is sent once. */
  retry?: boolean;
  /** Told before each wait. */
  onRetry?: (wait: { status: number; seconds: number }) => void;
  /** Told where an answer says that what was asked will change or stop. */
  onDeprecated?: (notice: Deprecation) => void;
  fetch?: typeof fetch;
}

/** What an answer says of its own end (RFC 9745, RFC 8594). */
export interface Deprecation {
  /** Since when it should not be used any more. */
  since: Date | undefined;
  /** When it stops, where that is known. */
  stops: Date | undefined;
  /** Links to what to do, as the Link header has them. */
  link: string | undefined;
}

/**
 * Sends a request, and sends it again where that is safe: it only reads, or carries an Idempotency-Key, and the answer
 * was 429 or 503 (or 409 of an equal request that still runs) with a Retry-After of a minute at most, or never came.
 * @param make the request, made anew for each try: a body can be sent once only
 * @throws GatewayError UNREACHABLE; the signal's reason when it is aborted
 */
export async function sendSafely(
  url: string,
  make: () => RequestInit,
  { retry = true, onRetry, onDeprecated, fetch: send = fetch }: RetryOptions,
): Promise<Response> {
  for (let sent = 1; ; sent++) {
    const init = make();
    const last = !retry || sent >= MAX_TRIES || !isRepeatable(init);
    const outcome = await attempt(send, url, init);
    if (outcome instanceof Response) {
      const seconds = secondsToWait(outcome);
      if (last || seconds === undefined) {
        if (outcome.headers.has('Deprecation')) onDeprecated?.(deprecationOf(outcome.headers));
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

/** Waits, or throws the reason of the signal: Node's own would be an AbortError that says nothing. */
export async function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  await wait(ms, undefined, { signal: signal ?? undefined }).catch(() => signal?.throwIfAborted());
}

async function attempt(send: typeof fetch, url: string, init: RequestInit): Promise<Response | GatewayError> {
  try {
    // A redirect would take provider keys along to wherever it leads.
    const answer = await send(url, { ...init, redirect: 'manual' });
    return REDIRECTS.has(answer.status) ? redirected(url, answer) : answer;
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    return ownError(
      {
        code: 'UNREACHABLE',
        message: `Could not reach ${new URL(url).origin}: ${causeOf(error)}.`,
        type: 'server',
        hint: 'Check the base URL and that the gateway runs, then try again.',
      },
      { cause: error },
    );
  }
}

function redirected(url: string, { status, headers }: Response): GatewayError {
  const location = headers.get('Location');
  const target =
    location !== null && URL.canParse(location, url) ? new URL(location, url).origin : 'elsewhere';
  return ownError(
    {
      code: 'UNEXPECTED_ANSWER',
      message: `${new URL(url).origin} redirects to ${target}.`,
      type: 'server',
      hint: 'If that is the gateway, use its address as the base URL: keys are not sent along a redirect.',
    },
    { status },
  );
}

function deprecationOf(headers: Headers): Deprecation {
  const since = /^@(\d{1,12})$/.exec(headers.get('Deprecation') ?? '')?.[1];
  const stops = Date.parse(headers.get('Sunset') ?? '');
  return {
    since: since === undefined ? undefined : new Date(Number(since) * 1000),
    stops: Number.isNaN(stops) ? undefined : new Date(stops),
    link: headers.get('Link') ?? undefined,
  };
}

function isRepeatable({ method = 'GET', headers }: RequestInit): boolean {
  return method === 'GET' || method === 'HEAD' || new Headers(headers).has('Idempotency-Key');
}

function secondsToWait(answer: Response): number | undefined {
  const header = answer.headers.get('Retry-After');
  if (!TRANSIENT.has(answer.status) || header === null) return undefined;
  const seconds = /^\d{1,9}$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isFinite(seconds) && seconds <= MAX_WAIT_SECONDS ? Math.max(0, seconds) : undefined;
}

/** What is behind fetch's own "fetch failed". */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return cause.message || code || cause.name;
}
