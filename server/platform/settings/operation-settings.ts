import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from '../../kit/log';
import { define, emails, integer, MAX_PORT, plainText, urlSchema } from './setting-schemas';
import type { RawSettings, SettingProblem } from './settings';

/** Too long to be guessed. */
const MIN_TOKEN_CHARACTERS = 16;
const MAX_SHUTDOWN_DELAY_SECONDS = 300;

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' });
const collector = urlSchema(['http:', 'https:'], 'http://127.0.0.1:4318');
const ALERT_WEBHOOK_MESSAGE =
  'must be an https:// URL, or an http:// URL of this machine, without user name and password';
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const MAX_RECONCILE_HOURS = 720;
const RATIO_MESSAGE = 'must be a number from 0 to 1, such as 0.1';
const HEADERS_MESSAGE = 'must be name=value pairs separated by commas, with percent-encoded values';

/**
 * The URL is a secret of its receiver, so it does not travel in the clear. `fetch` refuses one with
 * a password, and its error repeats it.
 */
function isSecureReceiver(text: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(text);
    if (username || password) return false;
    return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname));
  } catch {
    return false;
  }
}

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
  ALERT_EMAILS: define(
    emails,
    null,
    'Email addresses that are alerted to problems of the gateway, separated by commas. Needs SMTP_URL.',
    { defaultNote: 'none' },
  ),
  ALERT_WEBHOOK_URL: define(
    z.string().refine(isSecureReceiver, ALERT_WEBHOOK_MESSAGE),
    null,
    'Slack-compatible incoming webhook that is alerted to problems of the gateway.',
    { secret: true },
  ),
  RECONCILE_HOURS: define(
    integer(0, MAX_RECONCILE_HOURS),
    '24',
    'Hours between automatic reconcile runs; 0 turns them off.',
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

/** Who is alerted to problems of the gateway. */
export interface AlertSettings {
  emails: readonly string[];
  webhookUrl: string | null;
}

export interface OperationSettings {
  logLevel: LogLevel;
  accessLog: boolean;
  metricsToken: string | null;
  workerPort: number | null;
  shutdownDelaySeconds: number;
  alerts: AlertSettings;
  /** 0 for no automatic runs. */
  reconcileHours: number;
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
    alerts: { emails: raw.ALERT_EMAILS ?? [], webhookUrl: raw.ALERT_WEBHOOK_URL },
    reconcileHours: raw.RECONCILE_HOURS ?? 0,
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
