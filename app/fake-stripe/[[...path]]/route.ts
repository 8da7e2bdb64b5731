import { textResponse, toFetchResponse } from '@/server/core/http/responses';
import { getRuntime } from '@/server/core/runtime';

export const dynamic = 'force-dynamic';

const PREFIX = '/fake-stripe';
const MOST_BYTES = 100_000;

/** The fake Stripe receives paths relative to its own root. */
async function serve(request: Request): Promise<Response> {
  const { fakeStripe } = getRuntime().ports;
  if (!fakeStripe) return toFetchResponse(textResponse(404, 'Not found'));
  const posted = request.method === 'POST';
  if (posted && !(Number(request.headers.get('content-length') ?? Number.NaN) <= MOST_BYTES))
    return toFetchResponse(textResponse(413, 'Request body too large'));
  const address = new URL(request.url);
  address.pathname = address.pathname.slice(PREFIX.length) || '/';
  // Read the body first: forwarding it as a stream would need a duplex request.
  const body = posted ? await request.text() : null;
  const { method, headers } = request;
  return await fakeStripe.serve(new Request(address, { method, headers, body }));
}

export { serve as DELETE, serve as GET, serve as POST };
