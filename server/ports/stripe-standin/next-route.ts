import { getRuntime } from '../../runtime';
import { ConnectionCut } from './errors';

const PREFIX = '/stripe-standin';

/** Hands a request from outside to the stand-in for Stripe, where the gateway has one. */
export async function serveStripeStandin(request: Request): Promise<Response> {
  const { stripeStandin } = getRuntime().ports;
  if (!stripeStandin) return new Response('Not found', { status: 404 });
  const address = new URL(request.url);
  address.pathname = address.pathname.slice(PREFIX.length) || '/';
  // Read at once: a body that is handed on as a stream would need a duplex request.
  const body = request.method === 'POST' ? await request.text() : undefined;
  try {
    return await stripeStandin.serve(
      new Request(address, { method: request.method, headers: request.headers, body }),
    );
  } catch (error) {
    if (error instanceof ConnectionCut) return brokenAnswer(error);
    throw error;
  }
}

/** What a broken connection looks like from the other side: an answer that never ends well. */
function brokenAnswer(reason: Error): Response {
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.error(reason);
      },
    }),
  );
}
