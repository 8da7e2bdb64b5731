import { Agent, buildConnector, FormData as UndiciFormData, fetch as undiciFetch } from 'undici';
import { InputError, SkillError } from '../../core/errors/skill-error';
import { BufferedResponse } from '../../kit/buffered-response';
import { patchInternals } from '../../kit/patch-internals';
import { USER_AGENT } from '../../kit/version';
import { formatSize, limitBody, OutboundDeadline, toByteSource } from './outbound-body';
import type { OutboundFetch, OutboundInit } from './outbound-fetch';
import { OutboundGuard } from './outbound-guard';
import { completePausedAnswers } from './paused-parser';
import { getHeader, type OutboundResponse, sendRequest } from './send-request';

export interface OutboundOptions {
  readonly guard?: OutboundGuard;
  /** The User-Agent if a tool sets none. */
  readonly userAgent?: string;
  readonly limits?: Partial<OutboundLimits>;
}

/** The limits of one request. `OutboundInit` may lower the size and change the time. */
interface OutboundLimits {
  maxBytes: number;
  timeoutMs: number;
  /** The longest gap between two bytes of the body. */
  idleMs: number;
  connectMs: number;
  headerBytes: number;
}

const LIMITS: OutboundLimits = {
  maxBytes: 100 * 1024 * 1024,
  timeoutMs: 300_000,
  idleMs: 60_000,
  connectMs: 10_000,
  headerBytes: 32 * 1024,
};
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The only headers that are sent on to another origin: any other may be a secret (threats C11). */
const SAFE_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'range',
  'user-agent',
]);
const BODY_HEADERS = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'transfer-encoding',
];
/** Statuses without a body by definition: a Response with one cannot be constructed. */
const BODILESS = new Set([204, 205, 304]);
/** The highest status that a Response accepts; servers send others (999 for suspected robots). */
const MAX_STATUS = 599;
/** What a Response accepts as status text; servers also send text in other alphabets. */
const VALID_STATUS_TEXT = /^[\t\x20-\x7e]*$/;

type UndiciInit = NonNullable<Parameters<typeof undiciFetch>[1]>;

/** The request for the next hop of a redirect chain. */
interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: UndiciInit['body'];
}

/**
 * Creates the fetch of tools: http(s) only, every connection and redirect checked by the guard,
 * with limits on size (decompressed), headers and time. It throws SkillErrors with messages for a
 * caller, or the abort reason.
 */
export function createOutboundFetch(options: OutboundOptions = {}): OutboundFetch {
  const { guard = new OutboundGuard(), userAgent = USER_AGENT } = options;
  const limits = { ...LIMITS, ...options.limits };
  const dispatcher = createDispatcher(guard, limits);
  return async (input, init = {}) => {
    const { maxBytes = limits.maxBytes, timeoutMs = limits.timeoutMs, redirect = 'follow' } = init;
    const hop = await createHop(input, init, userAgent);
    const asked = init.signal ?? (input instanceof Request ? input.signal : undefined);
    const deadline = new OutboundDeadline(timeoutMs, asked ?? undefined, init.stop);
    try {
      for (let redirects = 0; ; redirects += 1) {
        guard.checkUrl(hop.url);
        const response = await sendHop(hop, dispatcher, deadline);
        const location = REDIRECTS.has(response.status) ? getLocation(response) : null;
        if (location === null || redirect === 'manual')
          return toResponse(response, hop.url, redirects > 0, Math.min(maxBytes, limits.maxBytes), deadline);
        discard(response);
        if (redirect === 'error')
          throw new InputError(`${hop.url.host} redirects, but this request does not allow redirects.`);
        if (redirects === MAX_REDIRECTS)
          throw new InputError(`The address redirects more than ${MAX_REDIRECTS} times.`);
        followRedirect(hop, location, response.status);
      }
    } catch (error) {
      const reason = deadline.reasonFor(error, hop.url.host);
      // A response that is not handed over may still be downloading.
      deadline.stop();
      throw reason;
    }
  };
}

/** Connects to exactly the addresses that were checked, whatever DNS says later (threats C10). */
function createDispatcher(guard: OutboundGuard, { idleMs, connectMs, headerBytes }: OutboundLimits): Agent {
  return new Agent({
    connect(options, callback) {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
      const dial = async () => {
        const addresses = await guard.resolve(options.hostname, port);
        const [first] = addresses;
        if (!first) throw new Error('Nothing to connect to');
        // A bracketed literal goes through `lookup` too, which returns the checked address.
        const connect = buildConnector({
          timeout: connectMs,
          lookup: (_name: string, how: { all?: boolean }, done: (...found: unknown[]) => void) =>
            how.all ? done(null, addresses) : done(null, first.address, first.family),
        } as Parameters<typeof buildConnector>[0]);
        connect({ ...options, hostname: options.hostname.replace(/^\[|\]$/g, '') }, (...made) => {
          callback(...made);
          const [, socket] = made;
          if (socket) patchInternals('undici_parser', () => completePausedAnswers(socket));
        });
      };
      dial().catch((error) => callback(error instanceof Error ? error : new Error(String(error)), null));
    },
    headersTimeout: 0,
    bodyTimeout: idleMs,
    maxHeaderSize: headerBytes,
  });
}

async function createHop(input: string | URL | Request, init: OutboundInit, userAgent: string): Promise<Hop> {
  const request = input instanceof Request ? input : null;
  const url = input instanceof URL ? input : parseUrl(request ? request.url : String(input));
  const headers = new Headers(init.headers ?? request?.headers);
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent);
  const body = init.body ?? (request?.body ? await request.arrayBuffer() : null);
  return {
    url,
    method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
    headers,
    body: toUndiciForm(body),
  };
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new InputError('The address is not a valid URL.');
  return new URL(text);
}

/** Converts the global FormData to undici's own, which is the only one undici accepts. */
function toUndiciForm(body: BodyInit | null): UndiciInit['body'] {
  if (!(body instanceof FormData)) return body as UndiciInit['body'];
  const form = new UndiciFormData();
  for (const [name, value] of body) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}

async function sendHop(hop: Hop, dispatcher: Agent, deadline: OutboundDeadline): Promise<OutboundResponse> {
  const { url, method, headers, body } = hop;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array)
    return await sendRequest({ url, method, headers, body }, dispatcher, deadline);
  // fetch knows how to send forms, streams and other bodies.
  const response = await undiciFetch(url, {
    method,
    headers: [...headers],
    body: body ?? null,
    redirect: 'manual',
    dispatcher,
    signal: deadline.signal,
    ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
  });
  const { status, statusText } = response;
  return {
    status,
    statusText,
    headers: [...response.headers],
    body: response.body as ReadableStream<Uint8Array> | null,
  };
}

/** Discards a response. */
function discard({ body }: OutboundResponse): void {
  if (body !== null && !(body instanceof Uint8Array)) toByteSource(body).cancel();
}

/** Headers are decoded as latin1, but servers write URLs in UTF-8. */
function getLocation(answer: OutboundResponse): string | null {
  const location = getHeader(answer, 'location');
  return location === null ? null : Buffer.from(location, 'latin1').toString('utf8');
}

/** Follows a redirect as fetch does, but sends only harmless headers to another origin. */
function followRedirect(hop: Hop, location: string, status: number): void {
  if (!URL.canParse(location, hop.url)) throw new InputError(`${hop.url.host} redirects to an invalid URL.`);
  const next = new URL(location, hop.url);
  if (!next.hash) next.hash = hop.url.hash;
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  if (becomesGet && hop.method !== 'GET') {
    hop.method = 'GET';
    hop.body = null;
    for (const name of BODY_HEADERS) hop.headers.delete(name);
  }
  if (hop.body instanceof ReadableStream)
    throw new SkillError(`${hop.url.host} redirects a request with a body that cannot be sent again.`);
  if (next.origin !== hop.url.origin)
    for (const name of [...hop.headers.keys()]) if (!SAFE_HEADERS.has(name)) hop.headers.delete(name);
  hop.url = next;
}

/** Builds a global Response with a limited body. */
function toResponse(
  answer: OutboundResponse,
  url: URL,
  redirected: boolean,
  maxBytes: number,
  deadline: OutboundDeadline,
): Response {
  const { status, headers } = answer;
  const given = BODILESS.has(status) ? null : answer.body;
  const size =
    given instanceof Uint8Array ? given.byteLength : Number(getHeader(answer, 'content-length') ?? 0);
  if (given !== null && size > maxBytes) {
    discard(answer);
    throw new InputError(`The response of ${url.host} is larger than ${formatSize(maxBytes)}.`);
  }
  const statusText = VALID_STATUS_TEXT.test(answer.statusText) ? answer.statusText : '';
  if (given instanceof Uint8Array) {
    deadline.end();
    return new BufferedResponse({ status, statusText, headers, url: url.href, redirected, bytes: given });
  }
  if (given === null) deadline.end();
  const body = given && limitBody(toByteSource(given), { maxBytes, deadline, host: url.host });
  const copy = new Response(body, { status: Math.min(status, MAX_STATUS), statusText, headers });
  Object.defineProperties(copy, {
    status: { value: status },
    url: { value: url.href },
    redirected: { value: redirected },
  });
  return copy;
}
