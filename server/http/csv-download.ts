import type { z } from 'zod';
import type { Actor, SessionActor } from '../auth/actor';
import { resolveActor } from '../auth/resolve-actor';
import { GatewayError } from '../errors/gateway-error';
import { newId } from '../ids';
import { getRuntime, type Runtime } from '../runtime';
import { errorBody, fieldErrors, toGatewayError } from '../trpc/format-error';
import { readSession } from './request-context';

type Write<Query> = (
  runtime: Runtime,
  actor: SessionActor,
  query: Query,
) => Promise<{ filename: string; text: AsyncIterable<string> }>;

/**
 * Answers a signed-in person with a CSV file: exactly what a page shows for the same query.
 * @param query what of the URL is read; names without a value count as absent
 * @param write checks that they may, then gives the text page by page
 */
export async function downloadCsv<Query>(
  request: Request,
  query: z.ZodType<Query>,
  write: Write<Query>,
): Promise<Response> {
  const runtime = getRuntime();
  const requestId = newId('request');
  try {
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const credentials = readSession({ header }, runtime.settings.baseUrl, false);
    const actor = signedIn(await resolveActor({ runtime, credentials, transport: 'trpc' }, true));
    const { filename, text } = await write(runtime, actor, readQuery(request.url, query));
    return new Response(streamOf(text), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${filename}"`,
        'Cache-Control': 'no-store',
      },
    });
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (error.status >= 500)
      runtime.log.error('a download failed', { requestId, error: error.cause ?? error });
    return Response.json(errorBody(error, requestId), { status: error.status });
  }
}

function signedIn(actor: Actor): SessionActor {
  if (actor.kind !== 'session') throw new GatewayError('AUTH_REQUIRED');
  return actor;
}

function readQuery<Query>(url: string, query: z.ZodType<Query>): Query {
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''));
  const parsed = query.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new GatewayError('INVALID_INPUT', { details: { fields: fieldErrors(parsed.error) } });
}

/** Read only as fast as it is taken. */
function streamOf(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const pages = text[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pages.return?.();
    },
  });
}
