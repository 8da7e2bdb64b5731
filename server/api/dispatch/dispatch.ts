import { GatewayError } from '../../core/errors/gateway-error';
import { methodNotAllowed } from '../../core/errors/method-not-allowed';
import { findProblem, type ProblemError } from '../../core/errors/problem-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { COMMON_HEADERS, chooseRequestId, JSON_TYPE } from '../../core/http/headers';
import { bufferBody, type HttpRequest, type HttpResponse } from '../../core/http/message';
import { errorResponse, jsonResponse } from '../../core/http/responses';
import type { Runtime } from '../../core/runtime';
import type { Reply } from '../../core/trpc/context';
import { addNotice } from '../../core/versions/versions';
import { writeLlmsFullText } from '../../docs/agent-texts';
import { pickFields } from '../../kit/pick-fields';
import type { Observer } from '../../platform/observe/observer';
import { answerProbe, isProbePath } from '../../platform/observe/probes';
import { answerDownload } from '../http/answer-download';
import { callProcedure } from '../http/call-procedure';
import { chooseCoding, compress, MIN_COMPRESSED_BYTES } from '../http/content-coding';
import { CachedAnswer, DISCOVERY_CACHING, DiscoveryCache } from '../http/discovery-cache';
import { baseHeaders, preflightHeaders } from '../http/headers';
import { isHostedPath, openHostedFile } from '../http/hosted-files';
import { findNearRoute, formatRoute, listRoutesBelow } from '../http/near-routes';
import { answerOAuth, isOAuthPath, isOAuthPost } from '../http/oauth-endpoints';
import { allowedMethods, isPagePath } from '../http/page-methods';
import { matchesEtag, requireMatch } from '../http/preconditions';
import { readInput } from '../http/read-input';
import { restContext } from '../http/request-context';
import { collectRoutes, type Route, RouteTable } from '../http/routes';
import { acceptSessionUpload, SESSION_UPLOAD_PATH } from '../http/session-upload';
import { EVENT_STREAM_HEADERS } from '../http/sse';
import { MCP_PATH, McpEndpoint } from '../mcp/mcp-endpoint';
import type { McpSurface } from '../mcp/surface';
import { servedOpenApiJson } from '../openapi/openapi';

const PROBLEM_TYPE = 'application/problem+json';
const FULL_TEXT_PATH = '/llms-full.txt';
/** For a change of a page that is like no route. */
const MAIN_POSTS = ['POST /v1/tools/call', 'POST /mcp'];
/** For a path that is like no route. */
const NO_ROUTE_HINT =
  'Find tools with GET /v1/tools/search?q=… and call them with POST /v1/tools/call, or use MCP at POST /mcp, without a final slash. GET /openapi.json lists every route.';
const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Answers /v1, /mcp, /files, the OAuth endpoints, the dashboard's uploads, /openapi.json,
 * /llms-full.txt, /healthz, /readyz and /metrics. `answer` never throws: every failure becomes a
 * status and the Error shape.
 */
export class Dispatcher {
  readonly #runtime: Runtime;
  readonly #table: RouteTable;
  readonly #base: Readonly<Record<string, string>>;
  readonly #discovery = new DiscoveryCache();
  readonly #document: CachedAnswer;
  readonly #mcp: McpEndpoint;

  /** @param surface replaces the gateway's own MCP surface */
  constructor(runtime: Runtime, surface?: McpSurface) {
    this.#runtime = runtime;
    this.#table = new RouteTable(collectRoutes(runtime.versions));
    this.#base = baseHeaders(runtime.settings.baseUrl.startsWith('https:'));
    this.#document = new CachedAnswer(servedOpenApiJson(runtime.settings.baseUrl, runtime.versions.table));
    this.#mcp = new McpEndpoint(runtime, surface);
  }

  get observer(): Observer {
    return this.#runtime.observer;
  }

  answer(request: HttpRequest): Promise<HttpResponse> {
    const { tracing } = this.observer;
    return tracing ? tracing.request(request, () => this.#answer(request)) : this.#answer(request);
  }

  async #answer(request: HttpRequest): Promise<HttpResponse> {
    const sent = request.header('x-request-id');
    const requestId = chooseRequestId(sent);
    const reply: Reply = { headers: {}, hasNewRequestId: requestId !== sent };
    let response: HttpResponse;
    try {
      response = await this.#route(request, requestId, reply);
    } catch (thrown) {
      const problem = findProblem(thrown);
      response = problem
        ? describeProblem(problem)
        : this.#refuse(toGatewayError(thrown), requestId, reply, request);
    }
    // The spread is not the first: see AGENTS.md, Traps.
    response.headers = { 'X-Request-Id': requestId, ...this.#base, ...response.headers };
    if (reply.deprecation) addNotice(response.headers, reply.deprecation);
    response.reply = reply;
    return response;
  }

  async #route(request: HttpRequest, requestId: string, reply: Reply): Promise<HttpResponse> {
    const { path, query } = splitTarget(request.target);
    if (request.method === 'OPTIONS') {
      const allow = this.#allowed(path);
      const headers = preflightHeaders(request.header('access-control-request-headers'));
      return { status: 204, headers: allow ? { Allow: allow, ...headers } : headers, body: null };
    }
    if (path === MCP_PATH) return await this.#mcp.answer(request, requestId, reply);
    if (path === '/openapi.json') return await this.#openApi(request);
    if (path === FULL_TEXT_PATH) return await this.#fullText(request);
    if (isProbePath(path)) return await answerProbe(path, request, this.#runtime);
    if (isOAuthPath(path)) return await answerOAuth(request, path, this.#runtime, reply);
    if (isHostedPath(path)) return await this.#hosted(request, requestId, reply, path);
    if (path === SESSION_UPLOAD_PATH)
      return answerJson(await acceptSessionUpload(request, this.#runtime, { requestId, reply }), reply);
    const match = this.#table.match(request.method, path);
    if (match.kind === 'none') throw this.#noRoute(request.method, path);
    if (match.kind === 'method') {
      const instead = listRoutesBelow(this.#table.routes, request.method, path);
      throw methodNotAllowed(request.method, match.allow, instead);
    }
    const { route, params } = match;
    reply.deprecation = route.deprecation;
    reply.route = route.template;
    if (route.rest.discovery) return await this.#discover(request, requestId, reply, route, params, query);
    const output = await this.#call(request, requestId, reply, route, params, query);
    if (reply.download) return await answerDownload(request, reply.download, reply.headers);
    if (reply.events)
      return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...reply.headers }, body: reply.events };
    // Nothing to send: after the last event, or to HEAD.
    if (route.rest.events) {
      const base = reply.status === 204 ? COMMON_HEADERS : EVENT_STREAM_HEADERS;
      const headers = { ...base, ...reply.headers };
      return { status: reply.status ?? 200, headers, body: null };
    }
    const response = answerJson(output, reply, route.rest.successStatus);
    // Answers to calls are not compressed: latency matters more than size.
    return route.rest.rateLimited ? response : await compressResponse(request, response);
  }

  /**
   * For OPTIONS. An unknown path has no methods: its preflight still succeeds, so that a script in
   * a browser sees the 404.
   */
  #allowed(path: string): string | null {
    if (path === MCP_PATH || path === SESSION_UPLOAD_PATH || isOAuthPost(path)) return 'POST, OPTIONS';
    const isRead = path === '/openapi.json' || path === FULL_TEXT_PATH || isProbePath(path);
    if (isRead || isHostedPath(path) || isOAuthPath(path)) return READ_METHODS.join(', ');
    // No route has the method OPTIONS, so the match lists the methods of the path.
    const match = this.#table.match('OPTIONS', path);
    return match.kind === 'method' ? match.allow.join(', ') : null;
  }

  async #openApi(request: HttpRequest): Promise<HttpResponse> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw methodNotAllowed(request.method, READ_METHODS);
    return await answerCacheable(request, this.#document);
  }

  /** Not by Next, which would compress its 400 kB for each response. */
  async #fullText(request: HttpRequest): Promise<HttpResponse> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw methodNotAllowed(request.method, READ_METHODS);
    await this.#runtime.facts.all();
    const { version } = this.#runtime.facts;
    const answer = await this.#discovery.get(FULL_TEXT_PATH, version, () => writeLlmsFullText(this.#runtime));
    return await answerCacheable(request, answer, 'text/plain; charset=utf-8');
  }

  async #hosted(request: HttpRequest, requestId: string, reply: Reply, path: string): Promise<HttpResponse> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw methodNotAllowed(request.method, READ_METHODS);
    const context = restContext(request, this.#runtime, { requestId, reply, rest: { errors: [] } });
    const download = await openHostedFile(context, path);
    return await answerDownload(request, download, reply.headers);
  }

  async #discover(
    request: HttpRequest,
    requestId: string,
    reply: Reply,
    route: Route,
    params: Record<string, string>,
    query: string,
  ): Promise<HttpResponse> {
    // Set here, because a cached answer is sent without running the procedure.
    if (params.tool) reply.deprecation ??= this.#runtime.versions.findToolNotice(params.tool);
    // Reading the facts refreshes stale ones, and their version decides whether a cached answer is
    // current.
    await this.#runtime.facts.all();
    const { version } = this.#runtime.facts;
    const answer = await this.#discovery.get(request.target, version, async () => {
      const output = await this.#call(request, requestId, reply, route, params, query);
      return JSON.stringify(reply.fields ? pickFields(output, reply.fields) : output);
    });
    return await answerCacheable(request, answer);
  }

  #call(
    incoming: HttpRequest,
    requestId: string,
    reply: Reply,
    route: Route,
    params: Record<string, string>,
    query: string,
  ): Promise<unknown> {
    // A payment is bound to the bytes of the body, which a socket yields only once.
    const request = route.rest.payable ? bufferBody(incoming) : incoming;
    const ctx = restContext(request, this.#runtime, {
      requestId,
      reply,
      rest: route.rest,
    });
    return callProcedure(route.procedure, {
      ctx,
      path: route.name,
      type: route.type,
      // Read only after the procedure has accepted the key, so that the body of an unauthenticated
      // request is never parsed.
      getRawInput: () => readInput(request, route, params, query, this.#runtime.settings.bodyLimitBytes),
    });
  }

  /** The front sends paths outside the API here that no page has, or not with this method. */
  #noRoute(method: string, path: string): GatewayError {
    const near = findNearRoute(this.#table.routes, method, path);
    const meant = near && formatRoute(near);
    if (isPagePath(path) && !allowedMethods(path).includes(method))
      return methodNotAllowed(method, [...allowedMethods(path), 'OPTIONS'], meant ? [meant] : MAIN_POSTS);
    const below = listRoutesBelow(this.#table.routes, method, path).join(' or ');
    return new GatewayError('NOT_FOUND', {
      message: `No route has this path.${meant ? ` Did you mean ${meant}?` : ''}`,
      hint:
        meant || below
          ? `Send the request as ${meant || below}; GET /openapi.json lists every route.`
          : NO_ROUTE_HINT,
    });
  }

  #refuse(error: GatewayError, requestId: string, reply: Reply, request: HttpRequest): HttpResponse {
    reply.errorCode = error.code;
    if (error.code === 'INTERNAL' || (error.code === 'UNAVAILABLE' && error.cause !== undefined))
      this.#runtime.log.error('request.failed', {
        requestId,
        method: request.method,
        route: reply.route,
        accountId: reply.actor?.accountId,
        callId: reply.callId,
        error: error.cause ?? error,
      });
    const { baseUrl } = this.#runtime.settings;
    return errorResponse(error, { requestId, baseUrl, headers: reply.headers });
  }
}

function answerJson(output: unknown, reply: Reply, successStatus?: 201): HttpResponse {
  return jsonResponse(reply.status ?? successStatus ?? 200, output, reply.headers);
}

function describeProblem({ problem, headers }: ProblemError): HttpResponse {
  return jsonResponse(problem.status, problem, { 'Content-Type': PROBLEM_TYPE, ...headers });
}

async function answerCacheable(
  request: HttpRequest,
  answer: CachedAnswer,
  type = JSON_TYPE,
): Promise<HttpResponse> {
  const { body, etag, coding } = await answer.negotiate(request.header('accept-encoding'));
  const headers: Record<string, string> = {
    'Cache-Control': DISCOVERY_CACHING,
    Vary: 'Accept-Encoding',
    ETag: etag,
  };
  requireMatch(request.header('if-match'), etag);
  if (matchesEtag(request.header('if-none-match'), etag)) return { status: 304, headers, body: null };
  if (coding) headers['Content-Encoding'] = coding;
  headers['Content-Type'] = type;
  return { status: 200, headers, body };
}

async function compressResponse(request: HttpRequest, response: HttpResponse): Promise<HttpResponse> {
  const { body, headers } = response;
  if (typeof body !== 'string' || body.length < MIN_COMPRESSED_BYTES) return response;
  headers.Vary = 'Accept-Encoding';
  const coding = chooseCoding(request.header('accept-encoding'));
  if (!coding) return response;
  headers['Content-Encoding'] = coding;
  return { ...response, body: await compress(Buffer.from(body), coding, true) };
}

/**
 * Path and query of a request target. Accepts the absolute form, but ignores its host (threats
 * D13).
 */
export function splitTarget(target: string): { path: string; query: string } {
  const relative = target.startsWith('/')
    ? target
    : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '') || '/';
  const at = relative.indexOf('?');
  return at < 0
    ? { path: relative, query: '' }
    : { path: relative.slice(0, at), query: relative.slice(at + 1) };
}
