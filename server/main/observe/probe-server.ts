import { createServer, type Server } from 'node:http';
import { nodeAdapter } from '../../api/dispatch/node-adapter';
import { baseHeaders } from '../../api/http/headers';
import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { chooseRequestId } from '../../core/http/headers';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import { errorResponse } from '../../core/http/responses';
import type { Runtime } from '../../core/runtime';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
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
  const requestId = chooseRequestId(request.header('x-request-id'));
  const headers = { 'X-Request-Id': requestId, ...baseHeaders(false) };
  try {
    const path = request.target.split('?', 1)[0] as string;
    if (!isProbePath(path)) throw new GatewayError('NOT_FOUND', { message: 'No route has this path.' });
    const response = await answerProbe(path, request, runtime);
    return { ...response, headers: { ...headers, ...response.headers } };
  } catch (thrown) {
    const { baseUrl } = runtime.settings;
    return errorResponse(toGatewayError(thrown), { requestId, baseUrl, headers });
  }
}
