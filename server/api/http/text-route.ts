import { textResponse, toFetchResponse } from '../../core/http/responses';
import { getRuntime, type Runtime } from '../../core/runtime';
import { DISCOVERY_CACHING, DiscoveryCache } from './discovery-cache';
import { isMatch, matchesEtag } from './preconditions';

interface TextRoute {
  /** Media type, with a charset if it is text. */
  type: string;
  /** Headers of this route only. */
  headers?: (runtime: Runtime) => Record<string, string>;
}

/**
 * A Next route that answers any origin with a text for programs. The text is rendered once for all
 * requests within seconds. Next answers HEAD with it too.
 * @param write returns null for 404
 */
export function textRoute<Params>(
  write: (runtime: Runtime, params: Params) => Promise<string | null> | string,
  { type, headers }: TextRoute,
) {
  const texts = new DiscoveryCache();
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    const runtime = getRuntime();
    const params = await context.params;
    const render = async () => (await write(runtime, params)) ?? Promise.reject(new TextNotFound());
    const answer = await texts
      .get(JSON.stringify(params ?? null), await factsVersion(runtime), render)
      .catch(nullIfNotFound);
    if (answer === null)
      return toFetchResponse(textResponse(404, 'Not found. See /llms.txt for what is available.\n'));
    // Weak, because Next compresses the text afterwards, and a strong ETag would identify its bytes
    // (RFC 9110 section 8.8.1).
    const etag = `W/${answer.etag}`;
    const all: Record<string, string> = {
      'Content-Type': chooseType(request, type),
      'Cache-Control': DISCOVERY_CACHING,
      ETag: etag,
      // A guide is served as a page to clients that accept HTML.
      Vary: 'Accept, Accept-Encoding',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, Link',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...headers?.(runtime),
    };
    if (!isMatch(request.headers.get('if-match') ?? undefined, etag))
      return toFetchResponse(
        textResponse(412, 'If-Match does not match the current ETag.\n', { ETag: etag }),
      );
    return matchesEtag(request.headers.get('if-none-match') ?? undefined, etag)
      ? new Response(null, { status: 304, headers: all })
      : new Response(new Uint8Array(answer.body), { headers: all });
  };
}

/** Our plain texts are Markdown too; a rewrite leads requests for Markdown to one of them. */
function chooseType(request: Request, type: string): string {
  const asksMarkdown = request.headers.get('accept')?.includes('text/markdown') === true;
  return asksMarkdown ? type.replace('text/plain', 'text/markdown') : type;
}

class TextNotFound extends Error {}

function nullIfNotFound(error: unknown): null {
  if (error instanceof TextNotFound) return null;
  throw error;
}

/** Reading the facts refreshes stale ones. */
async function factsVersion({ facts }: Pick<Runtime, 'facts'>): Promise<number> {
  await facts.all();
  return facts.version;
}
