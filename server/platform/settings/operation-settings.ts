import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from '../../kit/log';
import { define, MAX_PORT, plainText, urlWith, wholeNumber } from './setting-schemas';
import type { RawSettings, SettingProblem } from './settings';

/** Short enough to be typed, too long to be guessed. */
const MIN_TOKEN_CHARACTERS = 16;
const MAX_SHUTDOWN_DELAY_SECONDS = 300;

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' });
const collector = urlWith(['http:', 'https:'], 'http://127.0.0.1:4318');
const RATIO_MESSAGE = 'must be a share from 0 to 1, such as 0.1';
const HEADERS_MESSAGE = 'must be name=value pairs with commas between, values percent-encoded';

/** `name=value,name=value` as OpenTelemetry's specification has it; null where it is not. */
function readHeaders(text: string): Record<string, string> | null {
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

/** What whoever runs the gateway sees of it, and how it stops. */
export const OPERATION_SETTINGS = {
  LOG_LEVEL: define(
    z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }),
    'info',
    'The least that is written to the log: fatal, error, warn, info, debug or trace.',
  ),
  ACCESS_LOG: define(onOff, null, 'One log line for each request that was answered: on or off.', {
    defaultNote: 'on in production, else off',
  }),
  METRICS_TOKEN: define(
    z
      .string()
      .min(
        MIN_TOKEN_CHARACTERS,
        `must have at least ${MIN_TOKEN_CHARACTERS} characters; make one with: openssl rand -hex 24`,
      )
      .regex(/^[\x21-\x7e]+$/, 'must be printable characters without white space'),
    null,
    'Bearer token that opens /metrics. Without it, only a local start answers, and only to this machine.',
    { secret: true },
  ),
  WORKER_PORT: define(
    wholeNumber(1, MAX_PORT),
    null,
    'Port on which `npm run worker` answers /healthz, /readyz and /metrics.',
    { defaultNote: 'none' },
  ),
  SHUTDOWN_DELAY_SECONDS: define(
    wholeNumber(0, MAX_SHUTDOWN_DELAY_SECONDS),
    '0',
    'Seconds for which a gateway that is told to stop still answers while /readyz says 503, so that load balancers notice.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: define(
    collector,
    null,
    'Collector of OpenTelemetry to which traces are sent, over HTTP: /v1/traces is appended. Without it there are no traces.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: define(
    collector,
    null,
    'The same for traces alone, as a whole address: nothing is appended.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: define(
    z
      .string()
      .transform(readHeaders)
      .refine((headers) => headers !== null, HEADERS_MESSAGE),
    null,
    'Headers that go to the collector, as name=value,name=value.',
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
    'Share of requests that are traced, where the client has not decided it by its traceparent.',
  ),
};

/** Where traces go, and which. */
export interface TraceSettings {
  /** The whole address. */
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
  /** Null: nothing is traced. */
  traces: TraceSettings | null;
}

/** These settings together. */
export function operationSettings(
  raw: RawSettings,
  production: boolean,
  problems: SettingProblem[],
): OperationSettings {
  if (raw.WORKER_PORT !== null && raw.WORKER_PORT === raw.PORT)
    problems.push({ name: 'WORKER_PORT', problem: 'must differ from PORT, where the gateway listens' });
  return {
    logLevel: raw.LOG_LEVEL ?? 'info',
    accessLog: raw.ACCESS_LOG === null ? production : raw.ACCESS_LOG === 'on',
    metricsToken: raw.METRICS_TOKEN,
    workerPort: raw.WORKER_PORT,
    shutdownDelaySeconds: raw.SHUTDOWN_DELAY_SECONDS ?? 0,
    traces: traceSettings(raw),
  };
}

function traceSettings(raw: RawSettings): TraceSettings | null {
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
