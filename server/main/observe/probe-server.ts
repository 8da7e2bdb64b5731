import { createServer, type Server } from 'node:http';
import { nodeAdapter } from '../../api/dispatch/node-adapter';
import { baseHeaders, isRequestId } from '../../api/http/headers';
import { errorBody } from '../../core/errors/error-body';
import { GatewayError } from '../../core/errors/gateway-error';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import { toGatewayError } from '../../core/trpc/format-error';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { newId } from '../../kit/ids';
import { answerProbe, isProbePath } from '../../platform/observe/probes';

/** Probes are few and send no body. */
const TIMEOUT_MS = 10_000;

/**
 * Serves /healthz, /readyz and /metrics for a worker, which has no other server.
 * @throws if it cannot listen on the port
 */
export async function startProbeServer(
  runtime: Pick<Runtime, 'observer' | 'settings'>,
  port: number,
  host: string,
): Promise<Server> {
  const { observer } = runtime;
  const answer = (request: HttpRequest) => answerSafely(request, runtime);
  const server = withErrorListener(
    createServer(
      { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS },
      guarded(nodeAdapter({ observer, answer })),
    ),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return server;
}

async function answerSafely(
  request: HttpRequest,
  runtime: Pick<Runtime, 'observer' | 'settings'>,
): Promise<HttpResponse> {
  const sent = request.header('x-request-id');
  const requestId = isRequestId(sent) ? sent : newId('request');
  const headers = { 'X-Request-Id': requestId, ...baseHeaders(false) };
  try {
    const path = request.target.split('?', 1)[0] as string;
    if (!isProbePath(path)) throw new GatewayError('NOT_FOUND', { message: 'No route has this path.' });
    const response = await answerProbe(path, request, runtime);
    return { ...response, headers: { ...headers, ...response.headers } };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const retryAfter = error.details.retry_after;
    return {
      status: error.status,
      headers: {
        ...headers,
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
        ...error.headers,
      },
      body: JSON.stringify(errorBody(error, requestId, runtime.settings.baseUrl)),
    };
  }
}
