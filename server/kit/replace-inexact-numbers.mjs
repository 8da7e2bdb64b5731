// Replaces the JSON numbers that a double cannot hold before JSON.parse changes them. Plain
// JavaScript: workers run unbundled.
import { isExactNumber, isNumberLiteral, SAFE_DIGITS } from './exact-number.mjs';

const [QUOTE, BACKSLASH, LINE_FEED, CARRIAGE_RETURN, COLON] = /** @type {const} */ ([34, 92, 10, 13, 58]);
const [PLUS, MINUS, DOT, ZERO, NINE, LARGE_E, SMALL_E] = /** @type {const} */ ([43, 45, 46, 48, 57, 69, 101]);
const EMPTY = Buffer.alloc(0);

/**
 * Parses JSON text; a number that a double cannot hold becomes text with its digits.
 * @param {string} text
 * @returns {unknown}
 * @throws SyntaxError if it is not JSON
 */
export function parseExactJson(text) {
  // Cannot throw: throwing is documented behavior
  return JSON.parse(quoteInexactNumbers(text));
}

/** @param {string} text JSON */
function quoteInexactNumbers(text) {
  const replacer = new InexactNumberReplacer();
  return Buffer.concat([replacer.push(Buffer.from(text)), replacer.end()]).toString();
}

/**
 * Whether a double holds every number of JSON text. Blocks the event loop: for short texts.
 * @param {Uint8Array} bytes
 */
export function isExactJson(bytes) {
  let isExact = true;
  const replacer = new InexactNumberReplacer((literal) => {
    isExact = false;
    return literal;
  });
  replacer.push(bytes);
  replacer.end();
  return isExact;
}

/** Replaces numbers in JSON that arrives in pieces, or in the `data` lines of an event stream. */
export class InexactNumberReplacer {
  #replace;
  #isEventStream;
  /** @type {'json' | 'string' | 'number' | 'field'} */
  #state;
  /** @type {Uint8Array[]} the beginning of a number that the previous pieces ended with */
  #partial = [];
  #hasExponent = false;
  #escaped = false;
  /** Of the field on the current line of an event stream. */
  #name = '';

  /**
   * @param {(literal: string) => string} [replace] returns JSON
   * @param {{ isEventStream?: boolean }} [options]
   */
  constructor(replace = (literal) => `"${literal}"`, { isEventStream = false } = {}) {
    this.#replace = replace;
    this.#isEventStream = isEventStream;
    this.#state = isEventStream ? 'field' : 'json';
  }

  /**
   * Returns what can be passed on; a number at the end follows with the next piece.
   * @param {Uint8Array} bytes
   * @returns {Uint8Array}
   */
  push(bytes) {
    const { length } = bytes;
    /** @type {Uint8Array[]} */
    const parts = [];
    let from = 0;
    for (let at = 0; at < length; ) {
      if (this.#state === 'number') {
        const start = at;
        at = this.#skipNumber(bytes, at);
        if (at === length) {
          // Copied, because the sender may reuse its buffer.
          this.#partial.push(Uint8Array.from(bytes.subarray(start)));
          return joinParts(parts, bytes.subarray(from, start));
        }
        const changed = this.#endNumber(bytes.subarray(start, at));
        if (changed) {
          parts.push(bytes.subarray(from, start), changed);
          from = at;
        }
      } else if (this.#state === 'string') at = this.#skipString(bytes, at);
      else if (this.#state === 'json') at = this.#skipToValue(bytes, at);
      else at = this.#skipField(bytes, at);
    }
    return joinParts(parts, bytes.subarray(from));
  }

  /** Returns the rest. @returns {Uint8Array} */
  end() {
    return (this.#state === 'number' && this.#endNumber(EMPTY)) || EMPTY;
  }

  /**
   * @param {Uint8Array} rest of the number
   * @returns what replaces `rest`; null if it stays
   */
  #endNumber(rest) {
    this.#state = 'json';
    const started = this.#partial;
    if (started.length === 0 && rest.length <= SAFE_DIGITS && !this.#hasExponent) return null;
    const bytes = started.length === 0 ? rest : Buffer.concat([...started, rest]);
    const literal = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const isKept = !isNumberLiteral(literal) || isExactNumber(literal);
    if (isKept && started.length === 0) return null;
    this.#partial = [];
    return Buffer.from(isKept ? literal : this.#replace(literal));
  }

  /** Each `skip` returns the offset where another state begins. */
  /** @param {Uint8Array} bytes @param {number} from */
  #skipNumber(bytes, from) {
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = /** @type {number} */ (bytes[at]);
      if (byte === SMALL_E || byte === LARGE_E) this.#hasExponent = true;
      else if ((byte < ZERO || byte > NINE) && byte !== DOT && byte !== MINUS && byte !== PLUS) break;
    }
    return at;
  }

  /** A line break ends a string, too: JSON strings contain none. */
  /** @param {Uint8Array} bytes @param {number} from */
  #skipString(bytes, from) {
    let escaped = this.#escaped;
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if ((byte === QUOTE && !escaped) || byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        this.#state = 'json';
        this.#escaped = false;
        return byte === QUOTE ? at + 1 : at;
      }
      escaped = byte === BACKSLASH && !escaped;
    }
    this.#escaped = escaped;
    return at;
  }

  /** @param {Uint8Array} bytes @param {number} from */
  #skipToValue(bytes, from) {
    const isEventStream = this.#isEventStream;
    for (let at = from; at < bytes.length; at += 1) {
      const byte = /** @type {number} */ (bytes[at]);
      if (byte === QUOTE) {
        this.#state = 'string';
        return at + 1;
      }
      if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
        this.#state = 'number';
        this.#hasExponent = false;
        return at;
      }
      if (isEventStream && (byte === LINE_FEED || byte === CARRIAGE_RETURN)) {
        this.#state = 'field';
        return at;
      }
    }
    return bytes.length;
  }

  /** Reads a line of an event stream up to its data. */
  /** @param {Uint8Array} bytes @param {number} from */
  #skipField(bytes, from) {
    for (let at = from; at < bytes.length; at += 1) {
      const byte = /** @type {number} */ (bytes[at]);
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#name = '';
      else if (byte === COLON && this.#name === 'data') {
        this.#name = '';
        this.#state = 'json';
        return at + 1;
      } else if (this.#name.length < 5) this.#name += String.fromCharCode(byte);
    }
    return bytes.length;
  }
}

/** @param {Uint8Array[]} parts @param {Uint8Array} last */
function joinParts(parts, last) {
  return parts.length === 0 ? last : Buffer.concat([...parts, last]);
}
