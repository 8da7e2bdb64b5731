import { resolveActor } from '../auth/resolve-actor';
import { statementInput } from '../billing/schema';
import { writeStatementCsv } from '../billing/statement-csv';
import { GatewayError } from '../errors/gateway-error';
import { newId } from '../ids';
import { getRuntime } from '../runtime';
import { errorBody, fieldErrors, toGatewayError } from '../trpc/format-error';
import { readSession } from './request-context';

const query = statementInput.pick({ billing: true, from: true, to: true, kind: true });

/** The statement of a signed-in person's account as a file: exactly what the page shows for the same query. */
export async function downloadStatement(request: Request): Promise<Response> {
  const runtime = getRuntime();
  const requestId = newId('request');
  try {
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const credentials = readSession({ header }, runtime.settings.baseUrl, false);
    const actor = await resolveActor({ runtime, credentials, transport: 'trpc' }, true);
    const { filename, text } = await writeStatementCsv(runtime, actor, readQuery(request.url));
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
      runtime.log.error('a statement failed', { requestId, error: error.cause ?? error });
    return Response.json(errorBody(error, requestId), { status: error.status });
  }
}

function readQuery(url: string) {
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
