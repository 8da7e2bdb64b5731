import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { isRequestId } from '../http/headers';
import { clientIp, readSession } from '../http/request-context';
import { newId } from '../ids';
import { appRouter } from '../root';
import { getRuntime, type Runtime } from '../runtime';
import type { RequestContext } from './context';
import { toGatewayError } from './format-error';

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * tRPC for the dashboard: by session only, and changes only from our own pages (threats B15): another site's form or
 * script carries another Origin, no JSON content type, or no SameSite cookie.
 */
export async function handleTrpc(request: Request, runtime: Runtime = getRuntime()): Promise<Response> {
  const refused = request.method === 'POST' ? refuseForeignPost(request, runtime.settings.baseUrl) : null;
  if (refused) return new Response(refused.text, { status: refused.status });
  const response = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => contextOf(request, runtime),
    responseMeta: () => ({ headers: new Headers({ 'Cache-Control': 'no-store' }) }),
    onError({ error, path, ctx }) {
      const known = toGatewayError(error);
      if (known.status >= 500)
        runtime.log.error('procedure failed', {
          requestId: ctx?.requestId,
          path,
          error: known.cause ?? known,
        });
    },
  });
  return response;
}

/** Why a POST is not one of our own pages; null where it is. */
export function refuseForeignPost(
  request: Request,
  baseUrl: string,
): { status: number; text: string } | null {
  if (request.headers.get('origin') !== baseUrl)
    return { status: 403, text: `Open this gateway at ${baseUrl}` };
  if (!request.headers.get('content-type')?.startsWith('application/json'))
    return { status: 415, text: 'Unsupported Media Type' };
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES)
    return { status: 413, text: 'Payload Too Large' };
  return null;
}

/** A request of a browser, as the procedures see it. */
export function contextOf(request: Request, runtime: Runtime): RequestContext {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const sent = header('x-request-id');
  const source = { header, remoteAddress: header('x-gateway-peer') ?? '' };
  return {
    runtime,
    requestId: isRequestId(sent) ? sent : newId('request'),
    clientIp: clientIp(source, runtime.settings.trustedProxyHops),
    credentials: readSession({ header }, runtime.settings.baseUrl, false),
    providerKeys: new Map(),
    userAgent: header('user-agent') ?? null,
    signal: () => request.signal,
    reply: { headers: {} },
    transport: 'trpc',
  };
}
