import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../settings/operation-settings';
import type { Pace } from '../settings/pace';

const MAX_WAITING_SPANS = 4_096;
const MAX_ATTRIBUTE = 500;

interface StartSpan {
  kind: SpanKind;
  /** Of this process or of a client's. */
  parent?: SpanContext | undefined;
  attributes?: Attributes | undefined;
  links?: Link[] | undefined;
}

/** The library of OpenTelemetry, as far as it is used. Loaded only where traces are wanted. */
export interface Otlp {
  readonly kinds: typeof SpanKind;
  readonly statuses: typeof SpanStatusCode;
  startSpan(name: string, options: StartSpan): Span;
  shutdown(): Promise<void>;
}

/** Nothing is registered globally: Next and libraries that know OpenTelemetry would begin to make spans of their own. */
export function startOtlp(
  settings: TraceSettings,
  { traceBatchMs, traceExportMs }: Pace,
  onFailure: (error: unknown) => void,
): Otlp {
  const { url, headers, serviceName, ratio } = settings;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: traceExportMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellingFailures(exporter, onFailure),
        scheduledDelayMillis: traceBatchMs,
        exportTimeoutMillis: traceExportMs + 1_000,
        maxQueueSize: MAX_WAITING_SPANS,
      }),
    ],
  });
  const tracer = provider.getTracer('tool-gateway');
  return {
    kinds: SpanKind,
    statuses: SpanStatusCode,
    startSpan(name, { parent, ...options }) {
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      return tracer.startSpan(name, options, context);
    },
    shutdown: () => provider.shutdown().catch(onFailure),
  };
}

/** The library says nothing of failures unless it is asked to log everything. */
function tellingFailures(exporter: SpanExporter, onFailure: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0) onFailure(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
