/** Bytes of the fields of one line; what does not fit is left out. */
const MAX_LINE_BYTES = 16_000;
/** Longer texts of a line are cut: an error may quote a whole statement or page. */
const MAX_TEXT = 8_000;
const MAX_LEVELS = 10;
const MAX_CAUSES = 4;
/** Brackets around a value, or the signs around a name. */
const BRACKET_BYTES = 2;
/** Of one UTF-16 unit in JSON, escaped or not. */
const MAX_UNIT_BYTES = 6;
/** Read past a cut, so that a secret on both sides of it is recognized. */
const PAST_CUT = 500;
const LEFT_OUT = '[left out]';
const UNREADABLE = '[unreadable]';

// Keys of ours and payment tokens, whatever text they turn up in, and credentials inside connection
// strings. The last stops at a quote that is not escaped: past it another field begins, which must
// stay one.
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

/**
 * Copies the values of one line of the log into plain data that fits into it. Reading them never
 * throws.
 */
export class LogLine {
  #left = MAX_LINE_BYTES;
  /** The objects around the one that is copied. */
  readonly #around: object[] = [];

  text(text: string): string {
    let shown = text;
    if (text.length > MAX_TEXT) {
      const clean = redact(text.slice(0, MAX_TEXT + PAST_CUT)).slice(0, MAX_TEXT);
      shown = `${clean}… (${text.length} characters)`;
    }
    const bytes = bytesOf(shown);
    if (bytes <= this.#left) {
      this.#left -= bytes;
      return shown;
    }
    const units = Math.floor(Math.max(0, this.#left) / MAX_UNIT_BYTES);
    this.#left = 0;
    return units > 0 ? `${redact(shown.slice(0, units + PAST_CUT)).slice(0, units)}…` : LEFT_OUT;
  }

  /** The property of an object, which may be a getter. */
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
      this.#left -= bytesOf(name) + BRACKET_BYTES;
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
    const stack = stackOf(error);
    if (stack !== undefined) copy.stack = this.text(stack);
    const cause = this.#causes() <= MAX_CAUSES ? this.property(error, 'cause') : undefined;
    if (cause !== undefined) copy.cause = cause;
    return copy;
  }

  #causes(): number {
    return this.#around.filter((each) => each instanceof Error).length;
  }
}

/** Where an error was raised; reading it may call getters of the error. */
function stackOf(error: Error): string | undefined {
  try {
    const { stack } = error;
    return typeof stack === 'string' ? stack.split('\n').slice(1, 6).join('\n') : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
