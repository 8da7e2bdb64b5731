import { GatewayError } from '../../core/errors/gateway-error';
import { methodNotAllowed } from '../../core/errors/method-not-allowed';
import { COMMON_HEADERS } from '../../core/http/headers';
import { BodyTooLarge, type HttpRequest, type HttpResponse } from '../../core/http/message';
import { jsonResponse } from '../../core/http/responses';
import type { Runtime } from '../../core/runtime';
import type { Reply } from '../../core/trpc/context';
import { authenticateClient, type ClientCredentials } from '../../identity/oauth/authenticate-client';
import { exchangeCode, type IssuedTokens } from '../../identity/oauth/exchange-code';
import {
  REGISTER_PATH,
  RESOURCE_METADATA_PATH,
  REVOKE_PATH,
  resourceMetadata,
  SERVER_METADATA_PATH,
  serverMetadata,
  TOKEN_PATH,
} from '../../identity/oauth/metadata';
import { OAuthError } from '../../identity/oauth/oauth-error';
import { refreshTokens } from '../../identity/oauth/refresh-tokens';
import { registerClient } from '../../identity/oauth/register-client';
import { getResource, isGatewayResource, RESOURCE_PATH, SCOPE } from '../../identity/oauth/resource';
import { revokeToken } from '../../identity/oauth/revoke-token';
import { parseJson } from '../../kit/parse-json';
import type { BootedSettings } from '../../platform/settings/settings';
import { requirePlainBody } from './plain-body';
import { clientIp } from './request-context';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_BODY_BYTES = 16 * 1024;
/** RFC 8414 lets clients cache metadata; briefly, because an operator may move the gateway. */
const METADATA_CACHING = 'public, max-age=300';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

type Form = ReadonlyMap<string, readonly string[]>;
type Post = (request: HttpRequest, runtime: Runtime, reply: Reply) => Promise<HttpResponse>;

const METADATA: Readonly<Record<string, (settings: Pick<BootedSettings, 'baseUrl' | 'brand'>) => object>> = {
  [RESOURCE_METADATA_PATH]: (settings) => resourceMetadata(settings, ''),
  [RESOURCE_METADATA_PATH + RESOURCE_PATH]: (settings) => resourceMetadata(settings, RESOURCE_PATH),
  [SERVER_METADATA_PATH]: ({ baseUrl }) => serverMetadata(baseUrl),
};
const POSTS: Readonly<Record<string, Post>> = {
  [REGISTER_PATH]: register,
  [TOKEN_PATH]: issueTokens,
  [REVOKE_PATH]: revoke,
};

/**
 * Whether the path belongs to OAuth and is not a page: /.well-known/oauth-… and the paths that
 * clients post to. Not part of the documented API.
 */
export function isOAuthPath(path: string): boolean {
  return path.startsWith('/.well-known/oauth-') || isOAuthPost(path);
}

/** Whether clients post to this OAuth path. */
export function isOAuthPost(path: string): boolean {
  return Object.hasOwn(POSTS, path);
}

/**
 * The OAuth 2.1 endpoints: metadata (RFC 8414, RFC 9728), registration (RFC 7591), tokens (RFC
 * 6749) and revocation (RFC 7009). Errors that these standards define have their standard form.
 * @throws GatewayError NOT_FOUND, METHOD_NOT_ALLOWED, PAYLOAD_TOO_LARGE, RATE_LIMIT_EXCEEDED
 */
export async function answerOAuth(
  request: HttpRequest,
  path: string,
  runtime: Runtime,
  reply: Reply,
): Promise<HttpResponse> {
  const metadata = Object.hasOwn(METADATA, path) ? METADATA[path] : undefined;
  if (metadata) {
    allow(request, ['GET', 'HEAD']);
    return jsonResponse(200, metadata(runtime.settings), { 'Cache-Control': METADATA_CACHING });
  }
  const post = Object.hasOwn(POSTS, path) ? POSTS[path] : undefined;
  if (!post) throw new GatewayError('NOT_FOUND', { message: 'No metadata is published at this path.' });
  allow(request, ['POST']);
  try {
    return await post(request, runtime, reply);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return describeOAuthError(error);
  }
}

/** RFC 6749 section 5.1 wants it next to Cache-Control. */
const NO_CACHE = { Pragma: 'no-cache' };

/** The format of RFC 6749 section 5.2. Every 401 names a scheme (RFC 9110 section 15.5.2). */
function describeOAuthError({ code, message, status }: OAuthError): HttpResponse {
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Basic realm="oauth"' } : {};
  const body = { error: code, error_description: message };
  return jsonResponse(status, body, { ...NO_CACHE, ...challenge });
}

function allow(request: HttpRequest, methods: readonly string[]): void {
  if (!methods.includes(request.method)) throw methodNotAllowed(request.method, [...methods, 'OPTIONS']);
}

async function register(
  request: HttpRequest,
  runtime: Pick<Runtime, 'db' | 'settings'>,
  reply: Reply,
): Promise<HttpResponse> {
  const text = await readText(request, 'application/json', 'invalid_client_metadata');
  const registrant = { clientIp: clientIp(request, runtime.settings.trustedProxyHops), reply };
  const client = await registerClient(runtime, registrant, readJson(text));
  return jsonResponse(201, client, { ...NO_CACHE, ...reply.headers });
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body is not JSON.');
  }
}

async function issueTokens(
  request: HttpRequest,
  runtime: Pick<Runtime, 'db' | 'settings'>,
): Promise<HttpResponse> {
  const form = await readForm(request);
  const grantType = required(form, 'grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  const client = await authenticateClient(runtime, readClient(request, form));
  const { baseUrl } = runtime.settings;
  if (form.get('resource')?.some((resource) => !isGatewayResource(baseUrl, resource)))
    throw new OAuthError('invalid_target', `The resource must be ${getResource(baseUrl)}`);
  const tokens =
    grantType === 'refresh_token'
      ? await refreshTokens(runtime, client, required(form, 'refresh_token'))
      : await exchangeCode(runtime, client, {
          code: required(form, 'code'),
          verifier: required(form, 'code_verifier'),
          redirectUri: optional(form, 'redirect_uri'),
        });
  return jsonResponse(200, describeTokens(tokens), NO_CACHE);
}

/** RFC 6749 section 5.1. */
function describeTokens({ access, refresh, accessSeconds }: IssuedTokens) {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: SCOPE,
  };
}

async function revoke(request: HttpRequest, runtime: Pick<Runtime, 'db'>): Promise<HttpResponse> {
  const form = await readForm(request);
  const token = required(form, 'token');
  const client = await authenticateClient(runtime, readClient(request, form));
  await revokeToken(runtime, client, token);
  return { status: 200, headers: { ...COMMON_HEADERS, ...NO_CACHE }, body: null };
}

/**
 * RFC 6749 section 2.3.1: client credentials come in a Basic header, form-encoded, or in the body;
 * never in both.
 */
function readClient(request: HttpRequest, form: Form): ClientCredentials {
  const authorization = request.header('authorization');
  const named = optional(form, 'client_id');
  const secret = optional(form, 'client_secret');
  if (authorization === undefined) {
    if (named === null) throw new OAuthError('invalid_client', 'client_id is missing.', { status: 401 });
    return { id: named, secret };
  }
  const basic = readBasic(authorization);
  if (!basic)
    throw new OAuthError('invalid_client', 'The Authorization header must use the Basic scheme.', {
      status: 401,
    });
  if (secret !== null || (named !== null && named !== basic.id))
    throw new OAuthError(
      'invalid_request',
      'Send client credentials in the Authorization header or in the body, not in both.',
    );
  return basic;
}

function readBasic(authorization: string): { id: string; secret: string } | null {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1];
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const at = pair.indexOf(':');
  if (at < 1) return null;
  try {
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    const [id, secret] = [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
    return CONTROL.test(id + secret) ? null : { id, secret };
  } catch {
    return null;
  }
}

function optional(form: Form, name: string): string | null {
  const [value, ...more] = form.get(name) ?? [];
  if (more.length > 0) throw new OAuthError('invalid_request', `${name} may be sent only once.`);
  return value === undefined || value === '' ? null : value;
}

function required(form: Form, name: string): string {
  const value = optional(form, name);
  if (value === null) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}

async function readForm(request: HttpRequest): Promise<Form> {
  const text = await readText(request, FORM_TYPE, 'invalid_request');
  const form = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (CONTROL.test(value))
      throw new OAuthError('invalid_request', 'A form value contains control characters.');
    const values = form.get(name);
    if (values) values.push(value);
    else form.set(name, [value]);
  }
  return form;
}

async function readText(
  request: HttpRequest,
  type: string,
  code: 'invalid_request' | 'invalid_client_metadata',
): Promise<string> {
  requirePlainBody(request);
  const media = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (media !== type) throw new OAuthError(code, `The body must be ${type}.`);
  try {
    return (await request.body(MAX_BODY_BYTES)).toString('utf8');
  } catch (error) {
    if (error instanceof BodyTooLarge)
      throw new GatewayError('PAYLOAD_TOO_LARGE', {
        message: `The body must be at most ${MAX_BODY_BYTES} bytes.`,
        hint: 'Send less metadata.',
      });
    throw new GatewayError('INVALID_INPUT', { message: 'The body is incomplete.', cause: error });
  }
}
