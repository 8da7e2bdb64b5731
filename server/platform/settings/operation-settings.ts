import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from '../../kit/log';
import { define, integer, MAX_PORT, plainText, urlSchema } from './setting-schemas';
import type { RawSettings, SettingProblem } from './settings';

/** Too long to be guessed. */
const MIN_TOKEN_CHARACTERS = 16;
const MAX_SHUTDOWN_DELAY_SECONDS = 300;

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' });
const collector = urlSchema(['http:', 'https:'], 'http://127.0.0.1:4318');
const RATIO_MESSAGE = 'must be a number from 0 to 1, such as 0.1';
const HEADERS_MESSAGE = 'must be name=value pairs separated by commas, with percent-encoded values';

/** Parses OpenTelemetry's `name=value,name=value`; null if it is invalid. */
function parseHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [, name, value] = /^\s*([A-Za-z0-9_.-]+)\s*=\s*([\x21-\x7e]+)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return null;
    try {
      headers[name] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return headers;
}

/** Settings for observing and stopping the gateway. */
export const OPERATION_SETTINGS = {
  LOG_LEVEL: define(
    z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }),
    'info',
    'Lowest level that is logged: fatal, error, warn, info, debug or trace.',
  ),
  ACCESS_LOG: define(onOff, null, 'Whether each answered request is logged in one line: on or off.', {
    defaultNote: 'on in production, otherwise off',
  }),
  METRICS_TOKEN: define(
    z
      .string()
      .min(
        MIN_TOKEN_CHARACTERS,
        `must have at least ${MIN_TOKEN_CHARACTERS} characters; create one with: openssl rand -hex 24`,
      )
      .regex(/^[\x21-\x7e]+$/, 'must consist of printable characters without white space'),
    null,
    'Bearer token for /metrics. Without it, /metrics only exists in a local start and for this machine.',
    { secret: true },
  ),
  WORKER_PORT: define(
    integer(1, MAX_PORT),
    null,
    'Port on which `npm run worker` answers /healthz, /readyz and /metrics.',
    { defaultNote: 'none' },
  ),
  SHUTDOWN_DELAY_SECONDS: define(
    integer(0, MAX_SHUTDOWN_DELAY_SECONDS),
    '0',
    'Seconds that a stopping gateway still serves requests while /readyz returns 503, so that load balancers notice.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: define(
    collector,
    null,
    'OpenTelemetry collector for traces over HTTP; /v1/traces is appended. Without it, nothing is traced.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: define(
    collector,
    null,
    'The same for traces only, as a complete URL: nothing is appended.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: define(
    z
      .string()
      .transform(parseHeaders)
      .refine((headers) => headers !== null, HEADERS_MESSAGE),
    null,
    'Headers sent to the collector, as name=value,name=value.',
    { secret: true },
  ),
  OTEL_SERVICE_NAME: define(plainText, 'tool-gateway', 'Name of this gateway in traces.'),
  OTEL_TRACES_SAMPLER_ARG: define(
    z
      .string()
      .regex(/^(0|1|0?\.\d{1,9}|[01]\.\d{1,9})$/, RATIO_MESSAGE)
      .transform(Number)
      .refine((value) => value <= 1, RATIO_MESSAGE),
    '1',
    'Fraction of requests that are traced, unless the client decides by its traceparent header.',
  ),
};

/** Where traces are sent, and which. */
export interface TraceSettings {
  /** The complete URL. */
  url: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  ratio: number;
}

export interface OperationSettings {
  logLevel: LogLevel;
  accessLog: boolean;
  metricsToken: string | null;
  workerPort: number | null;
  shutdownDelaySeconds: number;
  /** Null if nothing is traced. */
  traces: TraceSettings | null;
}

/** Builds the operation settings, and reports contradictions. */
export function buildOperationSettings(
  raw: RawSettings,
  production: boolean,
  problems: SettingProblem[],
): OperationSettings {
  if (raw.WORKER_PORT !== null && raw.WORKER_PORT === raw.PORT)
    problems.push({ name: 'WORKER_PORT', problem: 'must differ from PORT, on which the gateway listens' });
  return {
    logLevel: raw.LOG_LEVEL ?? 'info',
    accessLog: raw.ACCESS_LOG === null ? production : raw.ACCESS_LOG === 'on',
    metricsToken: raw.METRICS_TOKEN,
    workerPort: raw.WORKER_PORT,
    shutdownDelaySeconds: raw.SHUTDOWN_DELAY_SECONDS ?? 0,
    traces: buildTraceSettings(raw),
  };
}

function buildTraceSettings(raw: RawSettings): TraceSettings | null {
  const base = raw.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = raw.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (!url) return null;
  return {
    url,
    headers: raw.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: raw.OTEL_SERVICE_NAME ?? 'tool-gateway',
    ratio: raw.OTEL_TRACES_SAMPLER_ARG ?? 1,
  };
}
