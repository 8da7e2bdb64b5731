// Reads JSON and JSON Lines in blocks, for what DuckDB's own detection loses: digits of long
// numbers, late fields, and the line of an error.
import { Refusal } from '../../kit/worker-refusal.mjs';

const [QUOTE, BACKSLASH, COLON, COMMA, LINE_FEED, MINUS, SPACE] = [...'"\\:,\n- '].map((sign) =>
  sign.charCodeAt(0),
);
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [...'[]{}'].map((sign) => sign.charCodeAt(0));
const MAX_DEPTH = 1_000;
const HASH_PRIME = 0x01000193;
const MAX_KNOWN_NAMES = 10_000;
/** DuckDB's limit of one record, as load-table passes it. */
export const MAX_JSON_RECORD_BYTES = 16 * 1024 * 1024;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** What may come next. */
const NEXT = { VALUE: 0, VALUE_OR_END: 1, NAME: 2, NAME_OR_END: 3, COLON: 4, COMMA_OR_END: 5, RECORD: 6 };

/**
 * Receives the values of a file, in order.
 * @typedef {object} JsonVisitor
 * @property {(depth: number, name: string) => void} name of a field, in the object at this depth
 * @property {(depth: number, kind: 'object' | 'array') => void} open a list or object, which is at
 *   this depth: 0 for the outermost
 * @property {(depth: number, bytes: Buffer, start: number, end: number) => void} string
 * @property {(depth: number, bytes: Buffer, start: number, end: number) => void} number
 * @property {(depth: number, word: string) => void} word `true`, `false`, `null` or `NaN`, …
 */

export class JsonTokens {
  line = 1;
  /** Outermost values so far. */
  values = 0;
  /** Whether each of them has a line of its own. */
  areLines = true;
  /** @type {boolean[]} whether each open container is an object */
  #open = [];
  #next = NEXT.RECORD;
  /** @type {Map<number, { bytes: Buffer, name: string }>} */
  #names = new Map();
  #recordEnd = 0;

  /** @param {JsonVisitor} visitor */
  constructor(visitor) {
    this.visitor = visitor;
  }

  /**
   * Reads the tokens of a block.
   * @param {Buffer} bytes
   * @param {number} to
   * @param {boolean} isLast
   * @returns {number} the offset of a token that the block cuts, or `to`
   * @throws {Refusal} with the line that is not valid JSON
   */
  push(bytes, to, isLast) {
    for (let at = 0; at < to; ) {
      const byte = Number(bytes[at]);
      if (byte <= Number(SPACE)) {
        if (byte === LINE_FEED) this.line += 1;
        at += 1;
      } else if (byte === QUOTE) {
        const end = findStringEnd(bytes, at + 1, to);
        if (end < 0 && !isLast) return at;
        if (end < 0 || Number(bytes[end]) !== QUOTE) this.#fail();
        this.#addString(bytes, at + 1, end);
        at = end + 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#openContainer(byte === OPEN_OBJECT);
        at += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#close(byte === CLOSE_OBJECT);
        at += 1;
      } else if (byte === COLON || byte === COMMA) {
        this.#separate(byte === COLON);
        at += 1;
      } else {
        let end = at + 1;
        while (end < to && isWordByte(Number(bytes[end]))) end += 1;
        if (end === to && !isLast) return at;
        this.#addWord(bytes, at, end);
        at = end;
      }
    }
    if (isLast && (this.#open.length > 0 || this.#next !== NEXT.RECORD)) this.#fail();
    return to;
  }

  /** @returns {never} */
  #fail() {
    throw new Refusal(`line ${this.line} is not valid JSON.`);
  }

  #beginValue() {
    const next = this.#next;
    if (next !== NEXT.VALUE && next !== NEXT.VALUE_OR_END && next !== NEXT.RECORD) this.#fail();
    if (this.#open.length === 0) {
      this.values += 1;
      if (this.line === this.#recordEnd) this.areLines = false;
      this.#recordEnd = this.line;
    }
    this.#next = this.#open.length === 0 ? NEXT.RECORD : NEXT.COMMA_OR_END;
  }

  /** @param {Buffer} bytes @param {number} start @param {number} end */
  #addString(bytes, start, end) {
    const depth = this.#open.length;
    if (this.#next === NEXT.NAME || this.#next === NEXT.NAME_OR_END) {
      this.visitor.name(depth - 1, this.#readName(bytes, start, end));
      this.#next = NEXT.COLON;
      return;
    }
    this.#beginValue();
    this.visitor.string(depth, bytes, start, end);
  }

  /** @param {Buffer} bytes @param {number} start @param {number} end */
  #readName(bytes, start, end) {
    // Most names were seen before, and decoding one takes ten times as long as comparing it.
    let hash = end - start;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ Number(bytes[at]), HASH_PRIME);
    const known = this.#names.get(hash);
    if (known && isSame(known.bytes, bytes, start, end)) return known.name;
    const name = this.#decodeName(bytes.toString('utf8', start, end));
    if (this.#names.size < MAX_KNOWN_NAMES)
      this.#names.set(hash, { bytes: Buffer.from(bytes.subarray(start, end)), name });
    return name;
  }

  /** @param {string} text */
  #decodeName(text) {
    if (!text.includes('\\')) return text;
    try {
      return String(JSON.parse(`"${text}"`));
    } catch {
      return this.#fail();
    }
  }

  /** @param {boolean} isObject */
  #openContainer(isObject) {
    this.#beginValue();
    this.visitor.open(this.#open.length, isObject ? 'object' : 'array');
    this.#open.push(isObject);
    if (this.#open.length > MAX_DEPTH)
      throw new Refusal(`line ${this.line} is nested more than ${MAX_DEPTH} times.`);
    this.#next = isObject ? NEXT.NAME_OR_END : NEXT.VALUE_OR_END;
  }

  /** @param {boolean} isObject */
  #close(isObject) {
    const next = this.#next;
    const mayClose = next === NEXT.COMMA_OR_END || next === (isObject ? NEXT.NAME_OR_END : NEXT.VALUE_OR_END);
    if (!mayClose || this.#open.pop() !== isObject) this.#fail();
    this.#next = NEXT.COMMA_OR_END;
    if (this.#open.length > 0) return;
    this.#next = NEXT.RECORD;
    if (this.line !== this.#recordEnd) this.areLines = false;
    this.#recordEnd = this.line;
  }

  /** @param {boolean} isColon */
  #separate(isColon) {
    if (this.#next !== (isColon ? NEXT.COLON : NEXT.COMMA_OR_END)) this.#fail();
    this.#next = isColon || !this.#open.at(-1) ? NEXT.VALUE : NEXT.NAME;
  }

  /** @param {Buffer} bytes @param {number} start @param {number} end */
  #addWord(bytes, start, end) {
    this.#beginValue();
    const depth = this.#open.length;
    const first = Number(bytes[start]);
    const isNumber = (first >= 0x30 && first <= 0x39) || first === MINUS;
    const word = bytes.toString('latin1', start, end);
    if (isNumber && NUMBER.test(word)) this.visitor.number(depth, bytes, start, end);
    else if (/^(true|false|null|NaN|-?Infinity)$/.test(word)) this.visitor.word(depth, word);
    else this.#fail();
  }
}

/**
 * Returns the offset of the closing quote or of a line end, which no string has; -1 if there is
 * none.
 * @param {Buffer} bytes @param {number} from @param {number} to
 */
function findStringEnd(bytes, from, to) {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE || byte === LINE_FEED) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return -1;
}

/** @param {number} byte */
function isWordByte(byte) {
  return (
    byte > Number(SPACE) &&
    byte !== COMMA &&
    byte !== COLON &&
    byte !== QUOTE &&
    byte !== OPEN_ARRAY &&
    byte !== CLOSE_ARRAY &&
    byte !== OPEN_OBJECT &&
    byte !== CLOSE_OBJECT
  );
}

/** @param {Buffer} known @param {Buffer} bytes @param {number} start @param {number} end */
function isSame(known, bytes, start, end) {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at += 1) if (known[at] !== bytes[start + at]) return false;
  return true;
}
