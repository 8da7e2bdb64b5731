import type { z } from 'zod';
import type { Actor, SessionActor } from '../auth/actor';
import { resolveActor } from '../auth/resolve-actor';
import { GatewayError } from '../errors/gateway-error';
import { newId } from '../ids';
import { getRuntime, type Runtime } from '../runtime';
import { errorBody, fieldErrors, invalidFields, toGatewayError } from '../trpc/format-error';
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
    const pages = text[Symbol.asyncIterator]();
    // What cannot be read is found out with the first lines: from then on the status is sent, and a file can only break off.
    const begin = [await pages.next(), await pages.next()].flatMap(({ done, value }) => (done ? [] : value));
    const failed = (error: unknown) => runtime.log.error('a download broke off', { requestId, error });
    return new Response(streamOf(begin.join(''), pages, failed), {
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
    return Response.json(errorBody(error, requestId, runtime.settings.baseUrl), {
      status: error.status,
      headers: { 'Cache-Control': 'no-store', 'X-Request-Id': requestId },
    });
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
  throw invalidFields(fieldErrors(parsed.error));
}

/** Read only as fast as it is taken. */
function streamOf(
  begin: string,
  pages: AsyncIterator<string>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(begin)),
    async pull(controller) {
      try {
        const { done, value } = await pages.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        onError(error);
        controller.error(error);
      }
    },
    async cancel() {
      await pages.return?.();
    },
  });
}
