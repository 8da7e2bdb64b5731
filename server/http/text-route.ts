import { getRuntime, type Runtime } from '../runtime';
import { etagOf, matchesEtag } from './discovery-cache';

/** As the API's own discovery answers. */
const CACHING = 'public, max-age=60, stale-while-revalidate=300';

interface TextRoute {
  /** Media type, with its charset where it is text. */
  type: string;
  /** Headers of this answer alone. */
  headers?: (runtime: Runtime) => Record<string, string>;
}

/**
 * A route of Next that answers with a text for programs, open to every origin. Next answers HEAD with it too.
 * @param write null where there is nothing under the address: 404
 */
export function textRoute<Params>(
  write: (runtime: Runtime, params: Params) => Promise<string | null> | string,
  { type, headers }: TextRoute,
) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    const runtime = getRuntime();
    const body = await write(runtime, await context.params);
    if (body === null)
      return new Response('There is nothing here. /llms.txt tells what there is.\n', {
        status: 404,
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
      });
    const etag = etagOf(body);
    const all: Record<string, string> = {
      'Content-Type': type,
      'Cache-Control': CACHING,
      ETag: etag,
      // A guide is a page too, for whoever accepts HTML.
      Vary: 'Accept',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, Link',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...headers?.(runtime),
    };
    return matchesEtag(request.headers.get('if-none-match') ?? undefined, etag)
      ? new Response(null, { status: 304, headers: all })
      : new Response(body, { headers: all });
  };
}
