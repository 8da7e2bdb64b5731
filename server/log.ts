/** What may stand beside a message. Errors are written by name, code and message; never a secret. */
export type LogFields = Record<string, unknown>;

export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

// Keys of ours and payment tokens, whatever text they turn up in, and credentials inside connection strings.
const SECRETS = [
  /tg_live_[0-9A-Za-z]{6,}/g,
  /clm_[0-9A-Za-z_-]{20,}/g,
  /(\w+:\/\/[^:/\s]+:)[^@/\s]+@/g,
  /spt_[0-9A-Za-z_]{6,}/g,
  // Of applications: access and refresh tokens, codes and secrets.
  /tg_(oat|ort|ocd|ocs)_[0-9A-Za-z_-]{6,}/g,
];

function redact(text: string): string {
  return text
    .replace(SECRETS[0] as RegExp, 'tg_live_[redacted]')
    .replace(SECRETS[1] as RegExp, 'clm_[redacted]')
    .replace(SECRETS[2] as RegExp, '$1[redacted]@')
    .replace(SECRETS[3] as RegExp, 'spt_[redacted]')
    .replace(SECRETS[4] as RegExp, 'tg_$1_[redacted]');
}

function plain(value: unknown): unknown {
  if (value instanceof Error) {
    const code = (value as { code?: unknown }).code;
    return {
      name: value.name,
      message: value.message,
      ...(typeof code === 'string' ? { code } : {}),
      stack: value.stack?.split('\n').slice(1, 6).join('\n'),
      ...(value.cause === undefined ? {} : { cause: plain(value.cause) }),
    };
  }
  return value;
}

/** One JSON object a line on standard error; JSON escaping keeps forged line breaks out (threats D11). */
export function createLogger(write: (line: string) => void = (line) => process.stderr.write(line)): Logger {
  const emit = (level: string, message: string, fields: LogFields = {}) => {
    const entries = Object.entries(fields).map(([key, value]) => [key, plain(value)]);
    const line = JSON.stringify({
      time: new Date().toISOString(),
      level,
      message,
      ...Object.fromEntries(entries),
    });
    write(`${redact(line)}\n`);
  };
  return {
    info: (message, fields) => emit('info', message, fields),
    warn: (message, fields) => emit('warn', message, fields),
    error: (message, fields) => emit('error', message, fields),
  };
}
