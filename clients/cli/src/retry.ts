import { setTimeout as wait } from 'node:timers/promises';
import { ownError } from './errors.js';

/** How often one request is sent in all, the first time included. */
const MAX_TRIES = 4;
/** A gateway that asks for a longer wait is believed, and its refusal handed on. */
const MAX_WAIT_SECONDS = 60;
const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;

/** Statuses that say "not now": too many, an equal request still runs, away for a moment. */
const TRANSIENT = new Set([409, 429, 503]);

export interface RetryOptions {
  /** False: every request is sent once. */
  retry?: boolean;
  /** Told before each wait. */
  onRetry?: (wait: { status: number; seconds: number }) => void;
  fetch?: typeof fetch;
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
  { retry = true, onRetry, fetch: send = fetch }: RetryOptions,
): Promise<Response> {
  for (let sent = 1; ; sent++) {
    const init = make();
    const last = !retry || sent >= MAX_TRIES || !isRepeatable(init);
    const outcome = await attempt(send, url, init);
    if (outcome instanceof Response) {
      const seconds = secondsToWait(outcome);
      if (last || seconds === undefined) return outcome;
      await outcome.body?.cancel();
      onRetry?.({ status: outcome.status, seconds });
      await pause(seconds * 1000, init.signal);
    } else {
      if (last) throw outcome;
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

async function attempt(send: typeof fetch, url: string, init: RequestInit): Promise<Response | Error> {
  try {
    return await send(url, init);
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
