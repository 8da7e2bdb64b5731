import pino from 'pino';

/** What may stand beside a message. Errors are written by name, code and message; never a secret. */
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

/** Longer texts of a line are cut: an error may quote a whole statement or page. */
const MAX_TEXT = 8_000;
const MAX_CAUSES = 4;

// Keys of ours and payment tokens, whatever text they turn up in, and credentials inside connection strings. The last
// stops at a quote that is not escaped: past it another field begins, which must stay one.
const SECRETS: readonly [RegExp, string][] = [
  [/tg_live_[0-9A-Za-z]{6,}/g, 'tg_live_[redacted]'],
  [/clm_[0-9A-Za-z_-]{20,}/g, 'clm_[redacted]'],
  [/spt_[0-9A-Za-z_]{6,}/g, 'spt_[redacted]'],
  // Of applications: access and refresh tokens, codes and secrets.
  [/tg_(oat|ort|ocd|ocs)_[0-9A-Za-z_-]{6,}/g, 'tg_$1_[redacted]'],
  [/(:\/\/(?:\\.|[^:/\s"\\])+:)(?:\\.|[^@/\s"\\])+@/g, '$1[redacted]@'],
];

/** A text without our secrets in it; the parts of a line of JSON stay what they are. */
export function redact(text: string): string {
  let clean = text;
  for (const [pattern, shown] of SECRETS) clean = clean.replace(pattern, shown);
  return clean;
}

function plain(value: unknown, causes = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (!(value instanceof Error)) return value;
  const code = (value as { code?: unknown }).code;
  return {
    name: value.name,
    message: cut(value.message),
    ...(typeof code === 'string' ? { code } : {}),
    stack: typeof value.stack === 'string' ? value.stack.split('\n').slice(1, 6).join('\n') : undefined,
    ...(value.cause === undefined || causes === MAX_CAUSES ? {} : { cause: plain(value.cause, causes + 1) }),
  };
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text;
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

function fieldsOf(fields: LogFields | undefined): LogFields {
  const line: LogFields = {};
  for (const key in fields) if (fields[key] !== undefined) line[nameOf(key)] = plain(fields[key]);
  return line;
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
    if (lines.isLevelEnabled(name)) lines[name](fieldsOf(fields), cut(message));
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
