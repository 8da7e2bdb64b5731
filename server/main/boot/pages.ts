import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';
import { getClientNetwork } from '../../api/http/client-network';
import { isForeignChange } from '../../api/http/foreign-origin';
import { limitBody } from '../../api/http/limit-body';
import { pageHeaders } from '../../api/http/page-headers';
import { allowedMethods } from '../../api/http/page-methods';
import { openStaticFiles, STATIC_PREFIX } from '../../api/http/static-files';
import { textResponse, writeResponse } from '../../core/http/responses';
import { PageStatuses } from './page-statuses';
import { PAGE_LIMITS, type QueueLimits, RenderQueue, ROUTE_LIMITS } from './render-queue';
import type { RequestTarget } from './request-target';

type Handler = (req: IncomingMessage, res: ServerResponse, target: RequestTarget) => Promise<void>;

const MIB = 1024 * 1024;
/** The limit of tRPC, which rejects smaller bodies itself, with its own message. */
const LEAST_LIMIT_BYTES = MIB;
/** For a form with an address, a token and a redirect target. */
const AUTH_LIMIT_BYTES = 16 * 1024;
/** What a multipart body contains besides its file. */
const AROUND_FILE_BYTES = MIB;

interface PagesOptions {
  root: string;
  dev: boolean;
  baseUrl: string;
  /** Limit of any body for pages and their procedures. */
  bodyLimitBytes: number;
  /** Limit of a file, if the API's routes are behind Next as well. */
  uploadLimitMib: number;
  trustedProxyHops: number;
  /** The request handler of Next. */
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** Replace the limits of what Next answers at the same time; for tests. */
  pageLimits?: QueueLimits;
  routeLimits?: QueueLimits;
}

/** Creates the handler of all requests outside the API: static files first, then Next. */
export async function openPages({
  root,
  dev,
  baseUrl,
  bodyLimitBytes,
  uploadLimitMib,
  trustedProxyHops,
  next,
  pageLimits = PAGE_LIMITS,
  routeLimits = ROUTE_LIMITS,
}: PagesOptions): Promise<Handler> {
  const addHeaders = pageHeaders({ baseUrl, dev });
  const answerStatic = dev ? null : await openStaticFiles(join(root, '.next/static'));
  const pageLimit = Math.max(bodyLimitBytes, LEAST_LIMIT_BYTES);
  const apiLimit = Math.max(pageLimit, uploadLimitMib * MIB + AROUND_FILE_BYTES);
  const limitOf = ({ kind, path }: RequestTarget) => {
    if (kind === 'api') return apiLimit;
    return path.startsWith('/api/auth/') ? AUTH_LIMIT_BYTES : pageLimit;
  };
  const pages = new RenderQueue(pageLimits);
  const routes = new RenderQueue(routeLimits);
  const statuses = new PageStatuses();
  globalThis.__gateway = {
    ...globalThis.__gateway,
    setPageStatus: (id, status) => statuses.set(id, status),
  };
  return async (req, res, target) => {
    // Await nothing else before counting the body: its first bytes arrive with the headers.
    if (target.path.startsWith(STATIC_PREFIX) && (await answerStatic?.(req, res))) return;
    if (target.kind === 'page') {
      addHeaders(req, res, target.path);
      dropInvalidState(req);
    }
    if (target.kind !== 'api' && !checkMethod(req, res, target.path)) return;
    if (!limitBody(req, res, limitOf(target))) return;
    if (target.kind === 'page' && isForeignChange(req, baseUrl)) {
      writeResponse(res, textResponse(403, `Open this gateway at ${baseUrl}`));
      return;
    }
    const serve = () => statuses.follow(req, res, () => next(req, res));
    if (target.kind !== 'page') return await serve();
    const queue = isRendered(req, target) ? pages : routes;
    if (await queue.render(getClientNetwork(req, trustedProxyHops), res, serve)) return;
    const tooMany = 'Too many requests for pages from your network are waiting. Try again in a second.';
    writeResponse(res, textResponse(503, tooMany, { 'Retry-After': '1' }));
  };
}

/** Next responds 500 to an invalid router state; without one it renders a first visit. */
function dropInvalidState({ headers }: IncomingMessage): void {
  const state = headers['next-router-state-tree'];
  if (state === undefined) return;
  try {
    parseAndValidateFlightRouterState(state);
  } catch {
    delete headers['next-router-state-tree'];
  }
}

/** Pages and text routes. Routes under /api stream, or are procedures. */
function isRendered({ method }: IncomingMessage, { path }: RequestTarget): boolean {
  return method !== 'POST' && !/^\/(?:api|_next)\//.test(path);
}

/** Answers OPTIONS and rejects other methods, because Next renders a page for any method. */
function checkMethod(req: IncomingMessage, res: ServerResponse, path: string): boolean {
  const methods = allowedMethods(path);
  if (methods.includes(req.method ?? '')) return true;
  const allow = { Allow: [...methods, 'OPTIONS'].join(', ') };
  if (req.method === 'OPTIONS') res.writeHead(204, allow).end();
  else writeResponse(res, textResponse(405, 'Method Not Allowed', allow));
  return false;
}
