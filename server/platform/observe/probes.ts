import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '../../core/errors/gateway-error';
import { methodNotAllowed } from '../../core/errors/method-not-allowed';
import { COMMON_HEADERS, JSON_TYPE } from '../../core/http/headers';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import { isTrustedHost } from '../../kit/trusted-host';

const RETRY_SECONDS = 1;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** Headers that a proxy or a browser page adds: the peer is then not the requester. */
const FORWARDED_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'origin', 'sec-fetch-site'];

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Whether a path is one of the monitoring endpoints. */
export function isProbePath(path: string): boolean {
  return PROBES.has(path);
}

/**
 * Answers monitoring requests: liveness, readiness and metrics.
 * @throws GatewayError METHOD_NOT_ALLOWED; UNAVAILABLE naming the failed checks; NOT_FOUND,
 * AUTH_REQUIRED and AUTH_FAILED for /metrics
 */
export async function answerProbe(
  path: string,
  request: HttpRequest,
  runtime: Pick<Runtime, 'observer' | 'settings'>,
): Promise<HttpResponse> {
  if (path === '/metrics' && !isMetricsVisible(request, runtime))
    throw new GatewayError('NOT_FOUND', { message: 'No route has this path.' });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw methodNotAllowed(request.method, ['GET', 'HEAD', 'OPTIONS']);
  if (path === '/healthz') return ok('{"status":"ok"}');
  if (path === '/metrics') return await answerMetrics(request, runtime);
  const failed = await runtime.observer.health.failedChecksOfGroup();
  if (failed.length === 0) return ok('{"status":"ready"}');
  throw new GatewayError('UNAVAILABLE', {
    message: `This process is not ready: ${failed.join(', ')}.`,
    details: { retry_after: RETRY_SECONDS },
  });
}

function ok(body: string, contentType = JSON_TYPE): HttpResponse {
  return { status: 200, headers: { 'Content-Type': contentType, ...COMMON_HEADERS }, body };
}

/** Without METRICS_TOKEN, the metrics exist only for local requests outside production. */
function isMetricsVisible(request: HttpRequest, { settings }: Pick<Runtime, 'settings'>): boolean {
  if (settings.operation.metricsToken !== null) return true;
  if (settings.production || !LOOPBACK.test(request.remoteAddress)) return false;
  if (!isTrustedHost(request.header('host') ?? null, settings.baseUrl)) return false;
  return FORWARDED_HEADERS.every((name) => request.header(name) === undefined);
}

async function answerMetrics(
  request: HttpRequest,
  { settings, observer }: Pick<Runtime, 'observer' | 'settings'>,
): Promise<HttpResponse> {
  const { metricsToken } = settings.operation;
  if (metricsToken !== null) {
    const given = /^bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1];
    if (given === undefined || !isEqualSecret(given, metricsToken))
      throw new GatewayError(given === undefined ? 'AUTH_REQUIRED' : 'AUTH_FAILED', {
        message: 'The metrics require their own token.',
        hint: "Send this gateway's METRICS_TOKEN as Authorization: Bearer <token>.",
      });
  }
  return ok(await observer.metricsText(), observer.metrics.registry.contentType);
}

/** Constant-time comparison; hashing first also hides the token's length. */
function isEqualSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
