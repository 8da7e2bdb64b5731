import { getRuntime, type Runtime } from '../runtime';
import { etagOf } from './discovery-cache';
import { isMatch, matchesEtag } from './preconditions';

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
    // Weak: Next compresses the text afterwards, and a strong one would name its bytes (RFC 9110 section 8.8.1).
    const etag = `W/${etagOf(Buffer.from(body))}`;
    const all: Record<string, string> = {
      'Content-Type': type,
      'Cache-Control': CACHING,
      ETag: etag,
      // A guide is a page too, for clients that accept HTML.
      Vary: 'Accept, Accept-Encoding',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, Link',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...headers?.(runtime),
    };
    if (!isMatch(request.headers.get('if-match') ?? undefined, etag))
      return new Response('If-Match names another version than the current one.\n', {
        status: 412,
        headers: { 'Content-Type': 'text/plain; charset=utf-8', ETag: etag },
      });
    return matchesEtag(request.headers.get('if-none-match') ?? undefined, etag)
      ? new Response(null, { status: 304, headers: all })
      : new Response(body, { headers: all });
  };
}
