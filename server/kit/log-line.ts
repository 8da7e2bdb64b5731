/** Byte limit for the fields of one line; the excess is omitted. */
const MAX_LINE_BYTES = 16_000;
/** Longer strings are truncated: an error may quote a whole statement or page. */
const MAX_TEXT = 8_000;
const MAX_LEVELS = 10;
const MAX_CAUSES = 4;
/** Brackets around a value, or quotation marks around a name. */
const BRACKET_BYTES = 2;
/** Maximum bytes of one UTF-16 unit in JSON, escaped or not. */
const MAX_UNIT_BYTES = 6;
/** Characters read past a truncation, so that a secret across it is still recognized. */
const PAST_CUT = 500;
const LEFT_OUT = '[left out]';
const UNREADABLE = '[unreadable]';

// API keys, payment tokens and the passwords of connection strings. The last pattern stops at an
// unescaped quotation mark, where the next JSON field begins.
const SECRETS: readonly [RegExp, string][] = [
  [/tg_live_[0-9A-Za-z]{6,}/g, 'tg_live_[redacted]'],
  [/clm_[0-9A-Za-z_-]{20,}/g, 'clm_[redacted]'],
  [/spt_[0-9A-Za-z_]{6,}/g, 'spt_[redacted]'],
  // OAuth access and refresh tokens, authorization codes and client secrets.
  [/tg_(oat|ort|ocd|ocs)_[0-9A-Za-z_-]{6,}/g, 'tg_$1_[redacted]'],
  [/(:\/\/(?:\\.|[^:/\s"\\])+:)(?:\\.|[^@/\s"\\])+@/g, '$1[redacted]@'],
];

/** Replaces our secrets in a text. A line of JSON stays valid JSON. */
export function redact(text: string): string {
  let clean = text;
  for (const [pattern, shown] of SECRETS) clean = clean.replace(pattern, shown);
  return clean;
}

/** Copies the values of one log line into plain data within the size limit. Never throws. */
export class LogLine {
  #left = MAX_LINE_BYTES;
  /** The ancestors of the object being copied. */
  readonly #around: object[] = [];

  text(text: string): string {
    let shown = text;
    if (text.length > MAX_TEXT) {
      const clean = redact(text.slice(0, MAX_TEXT + PAST_CUT)).slice(0, MAX_TEXT);
      shown = `${clean}… (${text.length} characters)`;
    }
    const bytes = countJsonBytes(shown);
    if (bytes <= this.#left) {
      this.#left -= bytes;
      return shown;
    }
    const units = Math.floor(Math.max(0, this.#left) / MAX_UNIT_BYTES);
    this.#left = 0;
    return units > 0 ? `${redact(shown.slice(0, units + PAST_CUT)).slice(0, units)}…` : LEFT_OUT;
  }

  /** Copies a property, which may be a getter that throws. */
  property(holder: object, name: string): unknown {
    try {
      return this.value((holder as Record<string, unknown>)[name]);
    } catch {
      return UNREADABLE;
    }
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return this.#primitive(value);
    if (this.#around.includes(value)) return '[circular]';
    if (this.#around.length >= MAX_LEVELS || this.#left <= 0) return LEFT_OUT;
    this.#around.push(value);
    this.#left -= BRACKET_BYTES;
    try {
      return this.#copy(value);
    } catch {
      return UNREADABLE;
    } finally {
      this.#around.pop();
    }
  }

  #primitive(value: unknown): unknown {
    this.#left -= String(value).length;
    return this.#left > 0 ? value : LEFT_OUT;
  }

  #copy(value: object): unknown {
    if (value instanceof Error) return this.#error(value);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.value(toJSON.call(value));
    return Array.isArray(value) ? this.#list(value) : this.#fields(value, Object.keys(value));
  }

  #list(list: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    for (let at = 0; at < list.length && this.#left > 0; at += 1) {
      this.#left -= 1;
      copy.push(this.property(list, String(at)));
    }
    if (copy.length < list.length) copy.push(LEFT_OUT);
    return copy;
  }

  #fields(holder: object, names: readonly string[]): object {
    const copy: Record<string, unknown> = {};
    for (const name of names) {
      this.#left -= countJsonBytes(name) + BRACKET_BYTES;
      if (this.#left <= 0) break;
      copy[name] = this.property(holder, name);
    }
    return copy;
  }

  #error(error: Error): object {
    const copy: Record<string, unknown> = {};
    for (const name of ['name', 'message', 'code']) {
      const value = this.property(error, name);
      if (typeof value === 'string') copy[name] = value;
    }
    const stack = readStack(error);
    if (stack !== undefined) copy.stack = this.text(stack);
    const cause = this.#causes() <= MAX_CAUSES ? this.property(error, 'cause') : undefined;
    if (cause !== undefined) copy.cause = cause;
    return copy;
  }

  #causes(): number {
    return this.#around.filter((each) => each instanceof Error).length;
  }
}

/** The top frames of an error's stack; a custom getter may throw. */
function readStack(error: Error): string | undefined {
  try {
    const { stack } = error;
    return typeof stack === 'string' ? stack.split('\n').slice(1, 6).join('\n') : undefined;
  } catch {
    return undefined;
  }
}

function countJsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
