import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state';
import { networkOf } from '../../api/http/client-network';
import { isForeignChange } from '../../api/http/foreign-origin';
import { limitBody } from '../../api/http/limit-body';
import { pageHeaders } from '../../api/http/page-headers';
import { allowedMethods } from '../../api/http/page-methods';
import { openStaticFiles, STATIC_PREFIX } from '../../api/http/static-files';
import { RenderQueue } from './render-queue';
import type { RequestTarget } from './request-target';

type Handler = (req: IncomingMessage, res: ServerResponse, target: RequestTarget) => Promise<void>;

const MIB = 1024 * 1024;
/** tRPC's own; what is smaller is refused by whom it is sent to, in their own words. */
const LEAST_LIMIT_BYTES = MIB;
/** Of a form with an address, a token and where to go next. */
const AUTH_LIMIT_BYTES = 16 * 1024;
/** What a body has around its file. */
const AROUND_FILE_BYTES = MIB;

interface PagesOptions {
  root: string;
  dev: boolean;
  baseUrl: string;
  /** Of any body that pages and their procedures are sent. */
  bodyLimitBytes: number;
  /** Of a file, where the API's own routes are behind Next too. */
  uploadLimitMib: number;
  trustedProxyHops: number;
  /** Next's own handler. */
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  queue?: RenderQueue;
}

/**
 * What the front hands everything to that is no API: built files first, then Next, with the headers
 * of a page.
 */
export async function openPages({
  root,
  dev,
  baseUrl,
  bodyLimitBytes,
  uploadLimitMib,
  trustedProxyHops,
  next,
  queue = new RenderQueue(),
}: PagesOptions): Promise<Handler> {
  const addHeaders = pageHeaders({ baseUrl, dev });
  const answerStatic = dev ? null : await openStaticFiles(join(root, '.next/static'));
  const pageLimit = Math.max(bodyLimitBytes, LEAST_LIMIT_BYTES);
  const apiLimit = Math.max(pageLimit, uploadLimitMib * MIB + AROUND_FILE_BYTES);
  const limitOf = ({ kind, path }: RequestTarget) => {
    if (kind === 'api') return apiLimit;
    return path.startsWith('/api/auth/') ? AUTH_LIMIT_BYTES : pageLimit;
  };
  return async (req, res, target) => {
    // Only for these is anything awaited before the body is counted: its first bytes come with the
    // headers.
    if (target.path.startsWith(STATIC_PREFIX) && (await answerStatic?.(req, res))) return;
    if (target.kind === 'page') {
      addHeaders(req, res, target.path);
      dropInvalidState(req);
    }
    if (target.kind !== 'api' && !checkMethod(req, res, target.path)) return;
    if (!limitBody(req, res, limitOf(target))) return;
    if (target.kind === 'page' && isForeignChange(req, baseUrl)) {
      answerText(res, 403, `Open this gateway at ${baseUrl}`);
      return;
    }
    if (!isRendered(req, target)) return await next(req, res);
    if (await queue.render(networkOf(req, trustedProxyHops), res, () => next(req, res))) return;
    res.setHeader('Retry-After', '1');
    answerText(res, 503, 'Too many pages are being opened from your network. Try again in a second.');
  };
}

/**
 * Next answers a state that it cannot read with 500; without one it renders the page as for a first
 * visit.
 */
function dropInvalidState({ headers }: IncomingMessage): void {
  const state = headers['next-router-state-tree'];
  if (state === undefined) return;
  try {
    parseAndValidateFlightRouterState(state);
  } catch {
    delete headers['next-router-state-tree'];
  }
}

/** Pages and texts; what is under /api streams, or is a procedure. */
function isRendered({ method }: IncomingMessage, { kind, path }: RequestTarget): boolean {
  return kind === 'page' && method !== 'POST' && !/^\/(?:api|_next)\//.test(path);
}

/**
 * Answers OPTIONS, and refuses what the route does not take: to Next a page is a page, whatever the
 * method.
 */
function checkMethod(req: IncomingMessage, res: ServerResponse, path: string): boolean {
  const methods = allowedMethods(path);
  if (methods.includes(req.method ?? '')) return true;
  res.setHeader('Allow', [...methods, 'OPTIONS'].join(', '));
  if (req.method === 'OPTIONS') res.writeHead(204).end();
  else answerText(res, 405, 'Method Not Allowed');
  return false;
}

function answerText(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' });
  res.end(text);
}
