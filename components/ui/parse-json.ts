import { isExactNumber } from '../../server/kit/exact-number.mjs';

/** Parsed JSON, or the position and reason of the syntax error. Lines and columns start at 1. */
export type ParsedJson =
  | { ok: true; value: unknown }
  | { ok: false; message: string; offset: number; line: number; column: number };

/** Numbers that may change when they are parsed. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE]/;

/** Parses JSON. A number that would change, such as 9007199254740993, is an error. */
export function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    const problem = MAY_LOSE_DIGITS.test(text) ? new Finder(text).find() : null;
    return problem ? locate(text, problem) : { ok: true, value };
  } catch {
    // Browsers differ in the wording and position of their errors, so find the error again.
    return locate(text, new Finder(text).find() ?? new Problem(0, 'This is not JSON'));
  }
}

function locate(text: string, { offset, message }: Problem): ParsedJson {
  const before = text.slice(0, offset).split('\n');
  return { ok: false, message, offset, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

class Problem {
  constructor(
    readonly offset: number,
    readonly message: string,
  ) {}
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** A JSON grammar that stops at the first error. Not recursive, because nesting may be deep. */
class Finder {
  #at = 0;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }

  find(): Problem | null {
    try {
      this.#document();
    } catch (problem) {
      if (problem instanceof Problem) return problem;
      throw problem;
    }
    return null;
  }

  #document(): void {
    const open: ('}' | ']')[] = [];
    for (;;) {
      this.#value(open);
      if (!this.#close(open)) break;
    }
    this.#take(SPACE);
    if (this.#at < this.#text.length) throw new Problem(this.#at, 'Nothing may follow the value');
  }

  /** Consumes a scalar, or the opening brackets down to the innermost value. */
  #value(open: ('}' | ']')[]): void {
    for (;;) {
      const sign = this.#sign();
      if (sign === '{') {
        this.#at++;
        if (this.#empty('}')) return;
        open.push('}');
        this.#name();
      } else if (sign === '[') {
        this.#at++;
        if (this.#empty(']')) return;
        open.push(']');
      } else {
        this.#scalar(sign);
        return;
      }
    }
  }

  #empty(end: string): boolean {
    if (this.#sign() !== end) return false;
    this.#at++;
    return true;
  }

  /** Consumes the brackets and commas after a value. @returns whether another value follows */
  #close(open: ('}' | ']')[]): boolean {
    for (let end = open.at(-1); end; end = open.at(-1)) {
      const sign = this.#sign();
      if (sign === ',') {
        const comma = this.#at++;
        if (this.#sign() === end) throw new Problem(comma, `Trailing comma before ${end}`);
        if (end === '}') this.#name();
        return true;
      }
      if (sign !== end) throw new Problem(this.#at, this.#missing(`a comma or ${end}`));
      this.#at++;
      open.pop();
    }
    return false;
  }

  #name(): void {
    if (this.#sign() !== '"') throw new Problem(this.#at, this.#missing('a field name in double quotes'));
    this.#string();
    if (this.#sign() !== ':') throw new Problem(this.#at, this.#missing('a colon'));
    this.#at++;
  }

  #scalar(sign: string): void {
    if (sign === '"') this.#string();
    else if (!this.#take(WORD) && !this.#number())
      throw new Problem(this.#at, sign === "'" ? 'Strings use double quotes' : this.#missing('a value'));
  }

  #number(): boolean {
    const begin = this.#at;
    const found = this.#take(NUMBER);
    if (found && !isExactNumber(this.#text.slice(begin, this.#at)))
      throw new Problem(begin, 'This number would change: write it as text, in quotes');
    return found;
  }

  #string(): void {
    const begin = this.#at++;
    for (;;) {
      const sign = this.#text[this.#at];
      if (sign === undefined || sign === '\n') throw new Problem(begin, 'This string is not closed');
      if (sign === '"') break;
      if (sign < ' ')
        throw new Problem(this.#at, 'Escape tabs and other control characters, such as \\t or \\u0000');
      if (
        sign === '\\' &&
        !/^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(this.#text.slice(this.#at, this.#at + 6))
      )
        throw new Problem(this.#at, 'Invalid escape: write a backslash as \\\\');
      this.#at += sign === '\\' ? 2 : 1;
    }
    this.#at++;
  }

  #missing(what: string): string {
    return this.#at >= this.#text.length ? `Unexpected end: ${what} is missing` : `Expected ${what} here`;
  }

  /** The next character that is not whitespace. */
  #sign(): string {
    this.#take(SPACE);
    return this.#text[this.#at] ?? '';
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
