import { randomBytes } from 'node:crypto';
import { createMcpHandler, type McpHttpHandler, METHOD_NOT_FOUND } from '@modelcontextprotocol/server';
import { recordRefusal } from '../../calls/refusals/record-refusal';
import { accountFrozen } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import type { KeyActor } from '../../core/trpc/actor';
import type { Reply, RequestContext } from '../../core/trpc/context';
import { resolveActor } from '../../identity/sessions/resolve-actor';
import { parseJson } from '../../kit/parse-json';
import { readInput } from '../http/read-input';
import { clientIp } from '../http/request-context';
import { buildServer } from './build-server';
import { notifyCancelled } from './cancellation';
import { buildChallenge } from './challenge';
import { findFault } from './check-message';
import { refuseSource } from './check-source';
import { gatewaySurface } from './gateway-surface';
import { answerError, answerRefusal, isObject, type Message, type RequestId, readMessage } from './json-rpc';
import type { McpRequest } from './mcp-call';
import { readCredentials } from './read-credentials';
import type { McpSurface } from './surface';
import { logFailure } from './tool-result';
import { describeUnknownMethod } from './unknown-names';

export const MCP_PATH = '/mcp';

const BODY = { hasInput: true, method: 'POST', params: [] } as const;
/** For the person who sets up the client: no tool can be called here without a key. */
const DEMANDED =
  'Sign in with OAuth, or set the header Authorization: Bearer <API key> for this server. POST /v1/auth/provision gives you a key without signing up, and so does get_key at /mcp without auth=required.';
const SESSION = /^[\x21-\x7e]{1,128}$/;

/**
 * MCP over Streamable HTTP: 2026-07-28, and without sessions 2025-11-25 and older. Each request
 * gets its own server, which calls the REST procedures. HTTP-level errors are answered here, before
 * the protocol handler runs.
 */
export class McpEndpoint {
  readonly #runtime: Runtime;
  readonly #handler: McpHttpHandler;
  /** The SDK passes the Request object on unchanged, so it can identify the MCP request. */
  readonly #calls = new WeakMap<Request, McpRequest>();

  constructor(runtime: Runtime, surface: McpSurface = gatewaySurface) {
    this.#runtime = runtime;
    this.#handler = createMcpHandler(({ requestInfo, era }) => {
      const came = requestInfo && this.#calls.get(requestInfo);
      if (!came) throw new Error('The MCP request is not registered');
      return buildServer(surface, Object.assign({ era }, came));
    });
  }

  /** Never throws: every failure becomes a JSON-RPC response. */
  async answer(request: HttpRequest, requestId: string, reply?: Reply): Promise<HttpResponse> {
    let id: RequestId = null;
    const ip = clientIp(request, this.#runtime.settings.trustedProxyHops);
    const facts = reply ?? { headers: {} };
    try {
      const refused = this.#refuseOutright(request);
      if (refused) return refused;
      const limit = this.#runtime.settings.bodyLimitBytes;
      const body = await readInput(request, BODY, {}, '', limit);
      const message = readMessage(body);
      id = message.id;
      const fault = findFault(body);
      if (fault) return answerError(fault.status, { code: fault.code, message: fault.message }, { id });
      const credentials = await readCredentials(request, this.#runtime);
      const actorContext = {
        credentials,
        runtime: this.#runtime,
        clientIp: ip,
        reply: facts,
      };
      const actor = await identify(actorContext, demandsCredentials(request));
      const session = readSession(request);
      const came: McpRequest = { runtime: this.#runtime, request, requestId, credentials, actor, session };
      // No list changes while a process runs, so this stream would never carry an event.
      if (message.method === 'subscriptions/listen') return refuseMethod(id);
      if (message.method === 'notifications/cancelled') await notifyCancelled(came, message.params.requestId);
      return await this.#serve(came, message, body);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      // A client whose key is refused here never gets to its first call.
      const refused = { runtime: this.#runtime, requestId, clientIp: ip, actor: facts.actor };
      recordRefusal(refused, error, null);
      return this.#refuse(error, requestId, id);
    }
  }

  #refuseOutright(request: HttpRequest): HttpResponse | null {
    const { baseUrl, mcpAllowedOrigins } = this.#runtime.settings;
    const foreign = refuseSource(request, { baseUrl, allowedOrigins: mcpAllowedOrigins });
    if (foreign !== null) return answerError(403, { code: -32_000, message: foreign });
    if (request.method === 'POST') return null;
    const message = `This is the MCP endpoint: POST JSON-RPC messages here (Streamable HTTP). See ${baseUrl}/docs/mcp.`;
    return answerError(405, { code: -32_000, message }, { headers: { Allow: 'POST, OPTIONS' } });
  }

  async #serve(came: McpRequest, message: Message, body: unknown): Promise<HttpResponse> {
    const { request } = came;
    const web = new Request(`${this.#runtime.settings.baseUrl}${MCP_PATH}`, {
      method: 'POST',
      headers: toProtocolHeaders(request, message),
      signal: request.signal,
    });
    this.#calls.set(web, came);
    const response = await this.#handler.fetch(web, { parsedBody: body });
    const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
    for (const [name, value] of response.headers)
      if (name !== 'connection') headers[canonicalHeaderName(name)] = value;
    if (message.method === 'initialize' && response.ok)
      headers['Mcp-Session-Id'] = randomBytes(SESSION_BYTES).toString('hex');
    if (!response.body) return { status: response.status, headers, body: null };
    const isStream = headers['Content-Type']?.startsWith('text/event-stream') === true;
    return {
      status: response.status,
      headers,
      body: isStream ? { stream: response.body } : completeError(await response.text(), response, message),
    };
  }

  #refuse(error: GatewayError, requestId: string, id: RequestId): HttpResponse {
    logFailure(this.#runtime, requestId, error);
    const { baseUrl } = this.#runtime.settings;
    const place = { requestId, baseUrl };
    if (error.status !== 401) return answerRefusal(error, place, { id });
    const headers = { 'WWW-Authenticate': buildChallenge(baseUrl, error.code) };
    return answerRefusal(error, place, { id, headers });
  }
}

/**
 * A request that presents a key needs a valid one, whatever the method. Without a key, a tool that
 * needs one answers what to do (`addTools`), because models do not see a 401.
 */
async function identify(
  asking: Pick<RequestContext, 'credentials' | 'runtime' | 'clientIp' | 'reply'>,
  demanded: boolean,
): Promise<KeyActor | null> {
  if (asking.credentials.kind === 'none') {
    if (!demanded) return null;
    throw new GatewayError('AUTH_REQUIRED', { hint: DEMANDED });
  }
  const actor = await resolveActor({ ...asking, transport: 'rest' }, false);
  if (actor.kind !== 'key') throw new GatewayError('AUTH_FAILED');
  if (actor.accountFrozen) throw accountFrozen();
  return actor;
}

/**
 * `/mcp?auth=required`: for chat applications that ask a person for access only if the first
 * request is refused, and otherwise assume a server without accounts.
 */
function demandsCredentials({ target }: HttpRequest): boolean {
  return new URLSearchParams(target.split('?', 2)[1] ?? '').get('auth') === 'required';
}

/** 128 bits, so that ids do not collide. */
const SESSION_BYTES = 16;

function readSession(request: HttpRequest): string | null {
  const sent = request.header('mcp-session-id');
  return sent !== undefined && SESSION.test(sent) ? sent : null;
}

function refuseMethod(id: RequestId): HttpResponse {
  return answerError(404, { code: METHOD_NOT_FOUND, message: 'Method not found' }, { id });
}

/**
 * The headers that concern the transport; no others reach the protocol handler, least of all keys.
 */
function toProtocolHeaders(request: HttpRequest, { method, params }: Message): Headers {
  const headers = new Headers([...request.headersWith('mcp-')]);
  // This request negotiates the version; its header may name one that the client prefers. Since
  // 2026-07-28 there is no initialize, so one in that form is refused.
  const negotiates = method === 'initialize' && typeof params.protocolVersion === 'string';
  if (negotiates) headers.delete('mcp-protocol-version');
  headers.set('content-type', request.header('content-type') ?? 'application/json');
  const accept = request.header('accept') ?? '*/*';
  // `*/*` accepts both response formats.
  headers.set('accept', accept.includes('*/*') ? 'application/json, text/event-stream' : accept);
  return headers;
}

/**
 * The SDK refuses an unknown version before it reads the id, without which clients wait on, and an
 * unknown method without a suggestion.
 */
function completeError(text: string, { status }: Response, { id, method }: Message): string {
  if (status < 400) return text;
  try {
    const body: unknown = parseJson(text);
    if (!isObject(body) || !isObject(body.error)) return text;
    const isUnknown = body.error.code === METHOD_NOT_FOUND && method !== null;
    const error = isUnknown ? { ...body.error, message: describeUnknownMethod(method) } : body.error;
    return JSON.stringify({ ...body, id: body.id ?? id, error });
  } catch {
    return text;
  }
}

/** The usual capitalisation, so that no header of ours is sent twice. */
function canonicalHeaderName(header: string): string {
  return header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
