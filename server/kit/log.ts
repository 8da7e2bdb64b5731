import pino from 'pino';
import { LogLine, redact } from './log-line';

/** Structured fields of a log line. Errors are written with name, code and message, no secrets. */
export type LogFields = Record<string, unknown>;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The process is about to exit because of this. */
  fatal(message: string, fields?: LogFields): void;
}

interface LoggerOptions {
  /** The least severe level that is written. */
  level?: LogLevel | undefined;
  /** Whether each line has the id of this process. */
  pid?: boolean | undefined;
}

/** Names that the line itself uses; a field with such a name is renamed. */
const OWN_NAMES = new Set(['level', 'time', 'message']);
const names = new Map<string, string>();

/** Converts `callId` to `call_id`, as in the API. Cached: our code uses few names. */
function toFieldName(key: string): string {
  let name = names.get(key);
  if (name === undefined) {
    name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (OWN_NAMES.has(name)) name = `${name}_given`;
    names.set(key, name);
  }
  return name;
}

function toLogFields(fields: LogFields | undefined, line: LogLine): LogFields {
  const shown: LogFields = {};
  for (const key in fields) {
    const value = line.property(fields, key);
    if (value !== undefined) shown[toFieldName(key)] = value;
  }
  return shown;
}

/**
 * Creates a logger that writes one JSON object per line. JSON escaping prevents forged line breaks
 * (threats D11).
 * @param write receives each line, already redacted
 */
export function createLogger(
  write: (line: string) => void = (line) => process.stderr.write(line),
  { level = 'info', pid = false }: LoggerOptions = {},
): Logger {
  const lines = pino(
    {
      level,
      base: pid ? { pid: process.pid } : null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(redact(line)) },
  );
  const at = (name: LogLevel) => (message: string, fields?: LogFields) => {
    if (!lines.isLevelEnabled(name)) return;
    const line = new LogLine();
    const text = line.text(message);
    lines[name](toLogFields(fields, line), text);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
}

/**
 * Wraps a logger so that each line also carries the fields of the current context.
 * @param context called for each line, e.g. for the trace
 */
export function withContext(log: Logger, context: () => LogFields | undefined): Logger {
  const at = (level: keyof Logger) => (message: string, fields?: LogFields) =>
    log[level](message, { ...fields, ...context() });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
}
