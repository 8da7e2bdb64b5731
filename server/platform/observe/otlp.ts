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
  /** A span of this process or of a client. */
  parent?: SpanContext | undefined;
  attributes?: Attributes | undefined;
  links?: Link[] | undefined;
}

/** The part of the OpenTelemetry library that is used. Loaded only if tracing is configured. */
export interface Otlp {
  readonly kinds: typeof SpanKind;
  readonly statuses: typeof SpanStatusCode;
  startSpan(name: string, options: StartSpan): Span;
  shutdown(): Promise<void>;
}

/** Registers nothing globally: Next and other libraries would start to create their own spans. */
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
        exporter: reportFailures(exporter, onFailure),
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
    startSpan(name, { kind, parent, attributes = {}, links = [] }) {
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      return tracer.startSpan(name, { kind, attributes, links }, context);
    },
    shutdown: () => provider.shutdown().catch(onFailure),
  };
}

/** The library reports failures only to its own debug log. */
function reportFailures(exporter: SpanExporter, onFailure: (error: unknown) => void): SpanExporter {
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
