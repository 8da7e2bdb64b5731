import pino from 'pino';
import { LogLine, redact } from './log-line';

/**
 * What may stand beside a message. Errors are written by name, code and message; never a secret.
 */
export type LogFields = Record<string, unknown>;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The process is about to end by it. */
  fatal(message: string, fields?: LogFields): void;
}

interface LoggerOptions {
  /** What is less than this is not written. */
  level?: LogLevel;
}

/** What the line itself says: a field of that name would stand there twice. */
const OWN_NAMES = new Set(['level', 'time', 'message']);
const names = new Map<string, string>();

/** `callId` is written call_id, as everywhere outside. Names are few: they are in our code. */
function nameOf(key: string): string {
  let name = names.get(key);
  if (name === undefined) {
    name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (OWN_NAMES.has(name)) name = `${name}_given`;
    names.set(key, name);
  }
  return name;
}

function fieldsOf(fields: LogFields | undefined, line: LogLine): LogFields {
  const shown: LogFields = {};
  for (const key in fields) {
    const value = line.property(fields, key);
    if (value !== undefined) shown[nameOf(key)] = value;
  }
  return shown;
}

/**
 * One JSON object a line; JSON escaping keeps forged line breaks out (threats D11).
 * @param write takes each line, already without secrets
 */
export function createLogger(
  write: (line: string) => void = (line) => process.stderr.write(line),
  { level = 'info' }: LoggerOptions = {},
): Logger {
  const lines = pino(
    {
      level,
      base: null,
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
    lines[name](fieldsOf(fields, line), text);
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
 * The same log, whose lines also say what is going on when they are written.
 * @param context the trace, say
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
