import type { HttpRequest } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import type { Credentials, Reply, RequestContext } from '../../core/trpc/context';
import type { RestMeta } from '../../core/trpc/init';
import { sessionCookieName } from '../../identity/sessions/session-token';
import { findMisplacedKey, findUnmarkedKey } from './misplaced-key';
import { readPreference } from './read-prefer';
import { readUpload } from './read-upload';
import { acceptsEvents } from './sse';

const MIB = 1024 * 1024;
const PROVIDER_PREFIX = 'x-provider-key-';

/** Builds the context of a REST request. Credentials are read here; the procedure verifies them. */
export function restContext(
  request: HttpRequest,
  runtime: Runtime,
  options: { requestId: string; reply: Reply; rest: RestMeta },
): RequestContext {
  const { rest } = options;
  const preference = rest.prefer
    ? readPreference(request.header('prefer'), runtime.settings.waitSeconds)
    : undefined;
  return {
    runtime,
    requestId: options.requestId,
    clientIp: clientIp(request, runtime.settings.trustedProxyHops),
    credentials: readCredentials(request, runtime.settings.baseUrl, rest),
    providerKeys: readProviderKeys(request, runtime),
    userAgent: request.header('user-agent') ?? null,
    idempotencyKey: rest.idempotent ? request.header('idempotency-key') : undefined,
    waitSeconds: preference?.waitSeconds,
    preferenceApplied: preference?.applied,
    wantsReceipt: preference?.receipt,
    // An answer to HEAD has no body: nothing would read the events.
    wantsEvents: rest.events
      ? request.method !== 'HEAD'
      : rest.streams === true && acceptsEvents(request.header('accept')),
    lastEventId: rest.events ? request.header('last-event-id') : undefined,
    signal: () => request.signal,
    rawBody: rest.payable ? () => request.body(runtime.settings.bodyLimitBytes) : undefined,
    upload: rest.upload ? () => readUpload(request, runtime.settings.uploadLimitMib * MIB) : undefined,
    reply: options.reply,
    transport: 'rest',
  };
}

/**
 * The client's address as the outermost trusted proxy saw it; without proxies, the peer's address
 * (threats B11).
 */
export function clientIp(
  request: Pick<HttpRequest, 'header' | 'remoteAddress'>,
  trustedHops: number,
): string {
  if (trustedHops === 0) return request.remoteAddress;
  const forwarded = (request.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  return forwarded.at(-trustedHops) || request.remoteAddress;
}

function readCredentials(request: HttpRequest, baseUrl: string, rest: RestMeta): Credentials {
  const authorization = request.header('authorization');
  if (authorization !== undefined) {
    const match = /^bearer +(\S+) *$/i.exec(authorization);
    if (match?.[1]) return { kind: 'bearer', token: match[1] };
    const takesPayment = rest.payable || rest.payPerCall;
    const credential = takesPayment ? /^payment +(\S+) *$/i.exec(authorization)?.[1] : undefined;
    if (credential) return { kind: 'payment', credential };
    return authorization.trim() === '' || /^bearer\s*$/i.test(authorization)
      ? { kind: 'none' }
      : (findUnmarkedKey(authorization) ?? { kind: 'malformed' });
  }
  const other = readOtherCredentials(request, baseUrl, rest);
  return other.kind === 'none' ? (findMisplacedKey(request) ?? other) : other;
}

function readOtherCredentials(request: HttpRequest, baseUrl: string, rest: RestMeta): Credentials {
  if (rest.payPerCall) return readX402(request);
  return rest.sessionAllowed ? readSession(request, baseUrl) : { kind: 'none' };
}

function readX402(request: HttpRequest): Credentials {
  const payment = request.header('payment-signature');
  return payment === undefined ? { kind: 'none' } : { kind: 'x402', payment };
}

/**
 * Reads a browser session, but only from a page of our own: another site's request carries another
 * Origin (threats B15).
 */
export function readSession(
  request: Pick<HttpRequest, 'header'>,
  baseUrl: string,
  originRequired = true,
): Credentials {
  const origin = request.header('origin');
  if (originRequired ? origin !== baseUrl : origin !== undefined && origin !== baseUrl)
    return { kind: 'none' };
  const token = readCookie(request.header('cookie'), sessionCookieName(baseUrl));
  return token ? { kind: 'session', token } : { kind: 'none' };
}

function readCookie(header: string | undefined, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/** Reads keys of known providers as sent; a call that uses one validates it. */
export function readProviderKeys(
  request: Pick<HttpRequest, 'headersWith'>,
  { slots }: Pick<Runtime, 'slots'>,
): ReadonlyMap<string, string> {
  let keys: Map<string, string> | undefined;
  for (const [name, value] of request.headersWith(PROVIDER_PREFIX)) {
    const provider = name.slice(PROVIDER_PREFIX.length);
    if (!slots.find(provider)) continue;
    keys ??= new Map();
    keys.set(provider, value);
  }
  return keys ?? NO_KEYS;
}

const NO_KEYS: ReadonlyMap<string, string> = new Map();
