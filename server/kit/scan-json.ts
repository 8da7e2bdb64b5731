import { randomBytes } from 'node:crypto';

/** Limit of objects, arrays and fields per body: reading and checking it takes up to 50 ms. */
export const MAX_JSON_PARTS = 20_000;
/** JSON.parse accepts any depth, but code that writes, compares or stores a value recurses. */
export const MAX_JSON_DEPTH = 1_000;
/** A double holds every decimal of fewer digits. */
const LOSING_DIGITS = 16;

const [QUOTE, BACKSLASH, OPEN_ARRAY, OPEN_OBJECT, COLON, COMMA, CLOSE_ARRAY, CLOSE_OBJECT] = [
  ...'"\\[{:,]}',
].map((sign) => sign.charCodeAt(0));
const [ZERO, NINE, DOT, SMALL_E, LARGE_E] = [...'09.eE'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
];
/** FNV-1a. Random per process: otherwise a sender could choose names with one hash. */
const HASH_PRIME = 0x01000193;
const HASH_SEED = randomBytes(4).readInt32LE();
const NOTHING: Uint8Array = new Uint8Array();
const [SPACE, LINE_FEED, CARRIAGE_RETURN] = [32, 10, 13];

export interface JsonScan {
  /** Objects, arrays and fields. */
  readonly parts: number;
  /** Numbers, strings, arrays, objects, …: all values that parsing creates. */
  readonly values: number;
  /** Different names of fields. V8 stores each once, which takes ten times as long as a value. */
  readonly names: number;
  /** Maximum nesting. */
  readonly depth: number;
  /** Whether a number may be one that a double cannot hold. */
  readonly mayLoseDigits: boolean;
}

/**
 * Counts the elements of JSON text before it is parsed, chunk by chunk: 3 ms per MiB. Stops after
 * the first name too many, because such JSON is refused: counting 100,000 takes 10 ms.
 */
export class JsonScanner implements JsonScan {
  parts = 0;
  values = 1;
  depth = 0;
  private open = 0;
  private digits = 0;
  private losing = false;
  private inString = false;
  private escaped = false;
  private justOpened = false;
  private hash = HASH_SEED;
  /** The part of the last string that is not in `hash`: it is needed only if a colon follows. */
  private text = NOTHING;
  private textFrom = 0;
  private textTo = 0;
  private readonly seen = new Set<number>();
  private readonly maxNames: number;

  /** @param maxNames by default as many as there may be parts */
  constructor(maxNames = MAX_JSON_PARTS) {
    this.maxNames = maxNames;
  }

  get names(): number {
    return this.seen.size;
  }

  get mayLoseDigits(): boolean {
    return this.losing || this.digits >= LOSING_DIGITS;
  }

  push(bytes: Uint8Array): void {
    if (this.seen.size > this.maxNames) return;
    this.hashText();
    let { parts, values, depth, open, digits, losing, justOpened } = this;
    for (let at = this.inString ? this.skipString(bytes, 0) : 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte <= SPACE) {
        if (digits >= LOSING_DIGITS) losing = true;
        digits = 0;
      } else if (byte >= ZERO && byte <= NINE) {
        digits += 1;
        justOpened = false;
      } else if (byte !== DOT) {
        // An exponent follows a digit; the e of `true` does not.
        if (digits >= LOSING_DIGITS || (digits > 0 && (byte === SMALL_E || byte === LARGE_E))) losing = true;
        digits = 0;
        const isEmpty = justOpened;
        justOpened = false;
        if (byte === QUOTE) {
          this.hash = HASH_SEED;
          at = this.skipString(bytes, at + 1) - 1;
        } else if (byte === COLON) {
          parts += 1;
          this.hashText();
          this.seen.add(this.hash);
          if (this.seen.size > this.maxNames) break;
        } else if (byte === COMMA) values += 1;
        else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
          parts += 1;
          // The first item; each further one follows a comma.
          values += 1;
          justOpened = true;
          open += 1;
          if (open > depth) depth = open;
        } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
          open -= 1;
          if (isEmpty) values -= 1;
        }
      }
    }
    Object.assign(this, { parts, values, depth, open, digits, losing, justOpened });
  }

  /** Returns the offset after the string. A line break ends it too: JSON strings contain none. */
  private skipString(bytes: Uint8Array, from: number): number {
    let { escaped } = this;
    this.text = bytes;
    this.textFrom = from;
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN || (byte === QUOTE && !escaped)) {
        this.inString = false;
        this.escaped = false;
        this.textTo = at;
        return at + 1;
      }
      escaped = byte === BACKSLASH && !escaped;
    }
    this.textTo = bytes.length;
    this.inString = true;
    this.escaped = escaped;
    return bytes.length;
  }

  private hashText(): void {
    const { text, textTo } = this;
    let { hash } = this;
    for (let at = this.textFrom; at < textTo; at += 1)
      hash = Math.imul(hash ^ (text[at] as number), HASH_PRIME);
    this.hash = hash;
    this.textFrom = textTo;
  }
}

/** Scans a complete body in one pass, valid JSON or not, up to the first name too many. */
export function scanJson(bytes: Uint8Array, maxNames?: number): JsonScan {
  const scanner = new JsonScanner(maxNames);
  scanner.push(bytes);
  return scanner;
}
