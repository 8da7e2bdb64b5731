import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { errorResponse, toFetchResponse } from '../../core/http/responses';
import { getRuntime, type Runtime } from '../../core/runtime';
import type { RequestContext } from '../../core/trpc/context';
import { t } from '../../core/trpc/init';
import { fetchRequest, streamEvents } from '../dispatch/fetch-adapter';
import { readInput } from '../http/read-input';
import { PAGE_STREAM_HEADERS } from '../http/sse';
import { appRouter } from '../root';
import { createBrowserContext, refuseForeignPost } from './handler';

const callerFactory = t.createCallerFactory(appRouter);
const ROUTE = { hasInput: true, method: 'POST', params: [] } as const;

/**
 * Runs a playground call and streams its events, as /v1/tools/call does; an error before the start
 * is an ordinary response in the Error shape. tRPC's streaming link would triple the page's script.
 */
export async function runInPlayground(request: Request, runtime: Runtime = getRuntime()): Promise<Response> {
  const foreign = refuseForeignPost(request, runtime.settings.baseUrl);
  if (foreign) return foreign;
  return await answerWithEvents(request, runtime, async (context) => {
    const limit = runtime.settings.bodyLimitBytes;
    const input = await readInput(fetchRequest(request), ROUTE, {}, '', limit);
    // The procedure validates its shape.
    await callerFactory(context).playground.run(input as never);
  });
}

/** Continues the stream of a playground call after Last-Event-ID, in any process. */
export async function resumeInPlayground(
  request: Request,
  jobId: string,
  runtime: Runtime = getRuntime(),
): Promise<Response> {
  return await answerWithEvents(request, runtime, async (context) => {
    const site = request.headers.get('sec-fetch-site');
    if (site !== null && site !== 'same-origin') throw new GatewayError('FORBIDDEN');
    await callerFactory(context).playground.resume({ jobId });
  });
}

/** @param run calls a procedure that sets `reply.events` */
async function answerWithEvents(
  request: Request,
  runtime: Runtime,
  run: (context: RequestContext) => Promise<void>,
): Promise<Response> {
  const gone = new AbortController();
  request.signal.addEventListener('abort', () => gone.abort(), { once: true });
  const context: RequestContext = Object.assign(createBrowserContext(request, runtime), {
    // Next answers HEAD with the handler of GET.
    wantsEvents: request.method !== 'HEAD',
    lastEventId: request.headers.get('last-event-id') ?? undefined,
    // Leaving the page closes the stream, but not always the request. The call goes on as a job.
    signal: () => gone.signal,
  });
  try {
    await run(context);
    const { events, headers, status } = context.reply;
    const all = { ...PAGE_STREAM_HEADERS, ...headers };
    if (status === 204 || request.method === 'HEAD')
      return new Response(null, { status: status ?? 200, headers: all });
    if (!events) throw new GatewayError('INTERNAL');
    return new Response(
      streamEvents(events, () => gone.abort()),
      { headers: all },
    );
  } catch (thrown) {
    return refusal(runtime, context, toGatewayError(thrown));
  }
}

function refusal(
  runtime: Pick<Runtime, 'log' | 'settings'>,
  { requestId, reply }: RequestContext,
  error: GatewayError,
): Response {
  // 502 is a failure of the tool, not of the gateway.
  if (error.status >= 500 && error.status !== 502)
    runtime.log.error('playground.call_failed', { requestId, error: error.cause ?? error });
  const { baseUrl } = runtime.settings;
  return toFetchResponse(errorResponse(error, { requestId, baseUrl, headers: reply.headers }));
}
