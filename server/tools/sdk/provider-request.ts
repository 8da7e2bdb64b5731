import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { isSkillError } from '../../core/errors/skill-error';
import { quoteNumber } from '../../kit/number-texts';
import { parseJsonResponse, replaceInexactNumbers } from '../../kit/parse-json';
import { readUpTo } from '../../kit/read-up-to';
import { MAX_WAIT_SECONDS, ProviderFailure, providerName, readRefusal } from './provider-refusals';
import { createScratchFile } from './scratch-files';
import type { ProviderClient } from './skill-context';

/** Waits per request when the provider limits the rate. */
const MAX_WAITS = 2;
/** Repeats after a failure of the provider, for repeatable requests. */
const MAX_REPEATS = 1;
const REPEAT_AFTER_SECONDS = 0.5;
/** Bytes read of an error response. */
const MAX_REFUSAL_BYTES = 16 * 1024;
const DEFAULT_MAX_BYTES = 2 * 1024 * 1024;

/** The part of a skill's context that a provider request needs. */
export interface Requester {
  readonly provider: ProviderClient;
  readonly signal: AbortSignal;
  log(message: string): void;
}

export interface ProviderRequest {
  readonly path: string;
  /** POST if there is a body, otherwise GET. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged, with its type as the Content-Type. */
  readonly body?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the whole response, including waits and repeats. */
  readonly timeLimitMs: number;
  /** Whether the request is safe to send twice. */
  readonly repeatable: boolean;
  /**
   * Whether the caller should check at the provider before retrying; by default unless repeatable.
   */
  readonly uncertain?: boolean;
  /**
   * Whether numbers that a double cannot hold arrive as marked texts, for `writeNumberTexts`.
   */
  readonly marksNumbers?: boolean;
}

/** Abort reason that distinguishes the time limit from other aborts. */
const TIMED_OUT = Symbol('slow');

/**
 * Sends a request to a provider and validates its JSON response.
 * @param schema the part of the response that is needed
 * @throws {SkillError} with a message for the caller, for any failure at the provider
 */
export async function requestJson<Answer>(
  asker: Requester,
  request: ProviderRequest & { readonly maxBytes?: number },
  schema: z.ZodType<Answer>,
): Promise<{ answer: Answer; headers: Headers }> {
  return await sendRequest(asker, request, async (response) => {
    const bytes = await readBounded(asker.provider, response, request.maxBytes ?? DEFAULT_MAX_BYTES);
    const exact = request.marksNumbers ? await replaceInexactNumbers(bytes, quoteNumber) : bytes;
    const parsed = schema.safeParse(readJson(exact));
    if (!parsed.success) throw unsupportedResponse(asker.provider);
    return { answer: parsed.data, headers: response.headers };
  });
}

/**
 * Requests a file from a provider and streams it to disk.
 * @returns the headers of the response and its size in bytes
 */
export async function requestFile(
  asker: Requester,
  request: ProviderRequest & { readonly maxBytes: number; readonly contentType: RegExp },
  path: string,
): Promise<{ headers: Headers; sizeBytes: number }> {
  return await sendRequest(asker, request, async (response, signal) => {
    const type = response.headers.get('content-type') ?? '';
    if (!request.contentType.test(type) || !response.body) throw unsupportedResponse(asker.provider);
    let sizeBytes = 0;
    const file = await createScratchFile(path);
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > request.maxBytes) throw tooLong(asker.provider, request.maxBytes);
        yield chunk;
      }
    };
    await pipeline(body, counted, file, { signal });
    if (sizeBytes === 0) throw unsupportedResponse(asker.provider);
    return { headers: response.headers, sizeBytes };
  });
}

/** Sends a request with its waits and repeats. `read` shares the time limit. */
async function sendRequest<Result>(
  { provider, signal, log }: Requester,
  request: ProviderRequest,
  read: (response: Response, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const onAbort = () => ending.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => ending.abort(TIMED_OUT), request.timeLimitMs);
  const until = Date.now() + request.timeLimitMs;
  const init = buildRequestInit(request, ending.signal);
  try {
    for (let waits = 0, repeats = 0; ; ) {
      const response = await provider.fetch(request.path, init);
      if (response.ok) return await read(response, ending.signal);
      const body = new TextDecoder().decode(await readBeginning(response));
      const { kind, error, retryAfterSeconds } = readRefusal(provider, response, body);
      const mayRepeat = kind === 'failed' && request.repeatable && repeats++ < MAX_REPEATS;
      const mayWait = kind === 'limited' && waits++ < MAX_WAITS;
      const seconds = mayRepeat ? REPEAT_AFTER_SECONDS : (retryAfterSeconds ?? waits);
      if (!mayRepeat && (!mayWait || seconds > MAX_WAIT_SECONDS)) throw error;
      if (Date.now() + seconds * 1000 >= until) throw error;
      if (mayWait) log(`${providerName(provider)} is rate limiting requests. Retrying in ${seconds} s.`);
      await sleep(seconds * 1000, undefined, { signal: ending.signal });
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ProviderFailure) throw error;
    throw toConnectionFailure(provider, request, ending.signal.reason === TIMED_OUT, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    ending.abort();
  }
}

function buildRequestInit(
  { method, json, body, headers }: ProviderRequest,
  signal: AbortSignal,
): RequestInit {
  const sent = json === undefined ? body : JSON.stringify(json);
  return {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: {
      Accept: '*/*',
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(body ? { 'Content-Type': body.type } : {}),
      ...headers,
    },
    body: sent ?? null,
    signal,
  };
}

/** The error for a missing or incomplete response: timed out, cut off, or never connected. */
function toConnectionFailure(
  provider: ProviderClient,
  { repeatable, uncertain = !repeatable, timeLimitMs }: ProviderRequest,
  slow: boolean,
  cause: unknown,
): ProviderFailure {
  const name = providerName(provider);
  let what = `The connection to ${name} closed before the response was complete.`;
  if (slow) what = `${name} did not respond within ${Math.round(timeLimitMs / 1000)} seconds.`;
  // The outbound guard has a more specific message for callers.
  else if (isSkillError(cause)) what = `${name} cannot be reached: ${cause.message}`;
  const advice =
    uncertain && !wasNeverSent(cause)
      ? 'The request may have been processed. Check at the provider before you try again.'
      : 'Try again.';
  return new ProviderFailure(`${what} ${advice}`, { cause });
}

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
const MAX_CAUSES = 4;

/** Whether the connection failed before the request was sent. */
function wasNeverSent(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth += 1) {
    if ('code' in cause && NEVER_SENT.has(String(cause.code))) return true;
    cause = cause.cause;
  }
  return false;
}

export function unsupportedResponse(provider: ProviderClient): ProviderFailure {
  return new ProviderFailure(
    `${providerName(provider)} sent a response that this version of the gateway does not support. Ask the operator of this gateway.`,
  );
}

function tooLong(provider: ProviderClient, maxBytes: number): ProviderFailure {
  const limit = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} KiB` : `${maxBytes / 1024 / 1024} MiB`;
  return new ProviderFailure(`The response of ${providerName(provider)} exceeds ${limit}. Request less.`);
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return parseJsonResponse(bytes);
  } catch {
    return undefined;
  }
}

async function readBounded(
  provider: ProviderClient,
  response: Response,
  maxBytes: number,
): Promise<Uint8Array> {
  const bytes = await readUpTo(response, maxBytes + 1);
  if (bytes.byteLength > maxBytes) throw tooLong(provider, maxBytes);
  return bytes;
}

/** Reads the beginning of an error response; empty if it breaks off. */
async function readBeginning(response: Response): Promise<Uint8Array> {
  return await readUpTo(response, MAX_REFUSAL_BYTES).catch(() => new Uint8Array());
}
