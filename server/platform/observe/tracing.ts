import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Link, Span, SpanContext } from '@opentelemetry/api';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import type { Logger } from '../../kit/log';
import type { TraceSettings } from '../settings/operation-settings';
import type { Pace } from '../settings/pace';
import type { Otlp } from './otlp';
import { isQuiet, routeOfPath } from './routes';

/** Failures of the collector are told at most this often. */
const WARN_EVERY_MS = 60_000;
/** Requests whose queued call has not run yet, so that its run can be linked to them. */
const MAX_LINKS = 10_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** How a span is begun. */
interface SpanOptions {
  attributes?: Attributes;
  links?: Link[];
  /** Why what came back is a failure, in a word; null where it is none. */
  failure?: (result: never) => string | null;
}

/**
 * Spans of this process, sent to a collector. The library is loaded only where there is one; until it is there, nothing is
 * traced. A collector that is away, slow or wrong costs spans and a line of the log a minute, never an answer.
 */
export class Tracing {
  /** Resolves when spans are made. */
  readonly ready: Promise<void>;
  readonly #log: Logger;
  readonly #current = new AsyncLocalStorage<Span>();
  readonly #queued = new Map<string, SpanContext>();
  #otlp: Otlp | null = null;
  #failedExports = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: TraceSettings, pace: Pace, log: Logger) {
    this.#log = log;
    this.ready = import('./otlp').then(
      ({ startOtlp }) => {
        this.#otlp = startOtlp(settings, pace, (error) => this.#exportFailed(error));
      },
      (error) => log.error('traces cannot be made', { error }),
    );
  }

  /** Times that no collector took what it was sent. */
  get failedExports(): number {
    return this.#failedExports;
  }

  /** The span that is going on where this is asked, for lines of the log. */
  ids(): { trace_id: string; span_id: string } | undefined {
    const context = this.#current.getStore()?.spanContext();
    return context && { trace_id: context.traceId, span_id: context.spanId };
  }

  /** The span of a request, under the client's where it sent one. Machines that watch have none. */
  async request(request: HttpRequest, work: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const otlp = this.#otlp;
    const route = routeOfPath(request.target);
    if (!otlp || isQuiet(route)) return await work();
    const span = otlp.startSpan(`${request.method} ${route}`, {
      kind: otlp.kinds.SERVER,
      parent: readTraceparent(request.header('traceparent')),
      attributes: { 'http.request.method': request.method },
    });
    return await this.#current.run(span, async () => {
      try {
        const response = await work();
        describe(span, request, response);
        if (response.status >= 500) span.setStatus({ code: otlp.statuses.ERROR });
        return response;
      } finally {
        span.end();
      }
    });
  }

  /** A part of what is going on. */
  async span<T>(
    name: string,
    { attributes, links, failure }: SpanOptions,
    work: () => Promise<T>,
  ): Promise<T> {
    const otlp = this.#otlp;
    if (!otlp) return await work();
    const parent = this.#current.getStore()?.spanContext();
    const span = otlp.startSpan(name, { kind: otlp.kinds.INTERNAL, parent, attributes, links });
    return await this.#current.run(span, async () => {
      try {
        const result = await work();
        const failed = failure?.(result as never) ?? null;
        if (failed !== null) fail(otlp, span, failed);
        return result;
      } catch (error) {
        fail(otlp, span, codeOf(error));
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** A request of a tool to the outside. Nothing of the trace goes along: whom a tool asks is a stranger to us. */
  async outbound(method: string, host: string, work: () => Promise<Response>): Promise<Response> {
    const attributes = { 'http.request.method': method, 'server.address': host };
    return await this.span(`${method} ${host}`, { attributes }, async () => {
      const response = await work();
      this.#current.getStore()?.setAttribute('http.response.status_code', response.status);
      return response;
    });
  }

  /** Remembers that this call is about to be queued by what is going on now; one that is refused is forgotten in its turn. */
  queued(callId: string): void {
    const context = this.#current.getStore()?.spanContext();
    if (!context) return;
    if (this.#queued.size >= MAX_LINKS) this.#queued.delete(this.#queued.keys().next().value as string);
    this.#queued.set(callId, context);
  }

  /** The run of a queued call: a trace of its own, linked to the request where this process has answered that. */
  async queuedRun<T>(callId: string, work: () => Promise<T>): Promise<T> {
    const context = this.#queued.get(callId);
    this.#queued.delete(callId);
    return await this.span(
      'gateway.queue.run',
      { attributes: { 'gateway.call.id': callId }, links: context ? [{ context }] : [] },
      work,
    );
  }

  /** Sends what is left, and waits no longer than this. */
  async close(boundMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, boundMs);
    });
    await Promise.race([this.#otlp?.shutdown(), late]);
    clearTimeout(timer);
  }

  #exportFailed(error: unknown): void {
    this.#failedExports++;
    const now = performance.now();
    if (now - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = now;
    this.#log.warn('traces could not be sent', { failures: this.#failedExports, error });
  }
}

/** Names of OpenTelemetry's semantic conventions where there are some. The path itself may be somebody's: the route is not. */
function describe(span: Span, request: HttpRequest, { status, reply }: HttpResponse): void {
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

/** A word, never the message: that may quote what was sent. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'error';
}

/** The client's span (W3C Trace Context); what is not of that form is as if nothing had been sent. */
function readTraceparent(header: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header ?? '') ?? [];
  if (!traceId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}
