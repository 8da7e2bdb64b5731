import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Link, Span, SpanContext } from '@opentelemetry/api';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import type { Logger } from '../../kit/log';
import { WarnLimit } from '../../kit/warn-limit';
import { withTimeout } from '../../kit/with-timeout';
import type { TraceSettings } from '../settings/operation-settings';
import type { Pace } from '../settings/pace';
import type { Otlp } from './otlp';
import { isMonitoringRoute, resolveRoute } from './routes';

/** Export failures are logged at most this often. */
const WARN_EVERY_MS = 60_000;
/** How many queued calls are remembered, to link their run to the request that queued them. */
const MAX_LINKS = 10_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** How to start a span. */
export interface SpanOptions<T> {
  attributes?: Attributes | undefined;
  links?: Link[] | undefined;
  /** Classifies a result as a failure, in one word; null if it is none. */
  failure?: (result: T) => string | null;
}

/**
 * Exports spans to a collector. The library is loaded only if tracing is configured, and nothing is
 * traced before that. A failing collector costs spans and one log line a minute, never a response.
 */
export class Tracing {
  /** Resolves once spans are recorded, or if the library could not be loaded. */
  readonly ready: Promise<void>;
  readonly #log: Logger;
  readonly #current = new AsyncLocalStorage<Span>();
  readonly #queued = new Map<string, SpanContext>();
  #otlp: Otlp | null = null;
  #failedExports = 0;
  readonly #warnings = new WarnLimit(WARN_EVERY_MS);

  constructor(settings: TraceSettings, pace: Pace, log: Logger) {
    this.#log = log;
    this.ready = import('./otlp').then(
      ({ startOtlp }) => {
        this.#otlp = startOtlp(settings, pace, (error) => this.#exportFailed(error));
      },
      (error) => log.error('trace.load_failed', { error }),
    );
  }

  /** How many exports failed. */
  get failedExports(): number {
    return this.#failedExports;
  }

  /** The ids of the current span, for log lines. */
  ids(): { trace_id: string; span_id: string } | undefined {
    const context = this.#current.getStore()?.spanContext();
    return context && { trace_id: context.traceId, span_id: context.spanId };
  }

  /**
   * Traces a request, under the client's span if it sent one. Monitoring requests are not traced.
   */
  async request(request: HttpRequest, work: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const otlp = this.#otlp;
    const route = resolveRoute(request.target);
    if (!otlp || isMonitoringRoute(route)) return await work();
    const span = otlp.startSpan(`${request.method} ${route}`, {
      kind: otlp.kinds.SERVER,
      parent: readTraceparent(request.header('traceparent')),
      attributes: { 'http.request.method': request.method },
    });
    return await this.#current.run(span, async () => {
      try {
        const response = await work();
        describeRequest(span, request, response);
        if (response.status >= 500) span.setStatus({ code: otlp.statuses.ERROR });
        return response;
      } finally {
        span.end();
      }
    });
  }

  /** Runs work in a child of the current span. */
  async span<T>(
    name: string,
    { attributes, links, failure }: SpanOptions<T>,
    work: () => Promise<T>,
  ): Promise<T> {
    const otlp = this.#otlp;
    if (!otlp) return await work();
    const parent = this.#current.getStore()?.spanContext();
    const span = otlp.startSpan(name, { kind: otlp.kinds.INTERNAL, parent, attributes, links });
    return await this.#current.run(span, async () => {
      try {
        const result = await work();
        const failed = failure?.(result) ?? null;
        if (failed !== null) fail(otlp, span, failed);
        return result;
      } catch (error) {
        fail(otlp, span, getErrorCode(error));
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** Traces an outbound request of a tool. No trace header is sent: the host is untrusted. */
  async outbound(method: string, host: string, work: () => Promise<Response>): Promise<Response> {
    const attributes = { 'http.request.method': method, 'server.address': host };
    return await this.span(`${method} ${host}`, { attributes }, async () => {
      const response = await work();
      this.#current.getStore()?.setAttribute('http.response.status_code', response.status);
      return response;
    });
  }

  /** Remembers the span that queues a call; a call that is then refused is evicted later. */
  queued(callId: string): void {
    const context = this.#current.getStore()?.spanContext();
    if (!context) return;
    if (this.#queued.size >= MAX_LINKS) this.#queued.delete(this.#queued.keys().next().value as string);
    this.#queued.set(callId, context);
  }

  /** Traces the run of a queued call, linked to its request if this process answered that. */
  async queuedRun<T>(callId: string, work: () => Promise<T>): Promise<T> {
    const context = this.#queued.get(callId);
    this.#queued.delete(callId);
    return await this.span(
      'gateway.queue.run',
      { attributes: { 'gateway.call.id': callId }, links: context ? [{ context }] : [] },
      work,
    );
  }

  /** Exports the remaining spans, waiting at most this long. */
  async close(boundMs: number): Promise<void> {
    if (this.#otlp) await withTimeout(this.#otlp.shutdown(), boundMs, () => undefined);
  }

  #exportFailed(error: unknown): void {
    this.#failedExports++;
    const failures = this.#failedExports;
    this.#warnings.warn(() => this.#log.warn('trace.export_failed', { failures, error }));
  }
}

/** Uses OpenTelemetry's semantic conventions. The path may contain user data, unlike the route. */
function describeRequest(span: Span, request: HttpRequest, { status, reply }: HttpResponse): void {
  span.setAttribute('http.response.status_code', status);
  if (!reply) return;
  reply.traceId = span.spanContext().traceId;
  const { route, actor, callId, errorCode } = reply;
  if (route) {
    span.updateName(`${request.method} ${route}`);
    span.setAttribute('http.route', route);
  }
  if (actor) span.setAttribute('gateway.account.id', actor.accountId);
  if (actor?.kind === 'key') span.setAttribute('gateway.key.id', actor.keyId);
  if (callId) span.setAttribute('gateway.call.id', callId);
  if (errorCode) span.setAttribute('error.type', errorCode);
}

function fail(otlp: Otlp, span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: otlp.statuses.ERROR });
}

/** The error's code or name, never its message, which may quote the request. */
function getErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'error';
}

/** Parses the client's span (W3C Trace Context); an invalid header is ignored. */
function readTraceparent(header: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header ?? '') ?? [];
  if (!traceId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}
