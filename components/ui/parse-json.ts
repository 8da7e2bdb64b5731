/** A text as JSON, or where it stops being it, for a person to find. Lines and columns count from 1. */
export type ParsedJson =
  | { ok: true; value: unknown }
  | { ok: false; message: string; offset: number; line: number; column: number };

export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // Browsers word and place it differently, some not at all: it is found once more.
    const { offset, message } = new Finder(text).find();
    const before = text.slice(0, offset).split('\n');
    return { ok: false, message, offset, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
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

/** Reads JSON as the grammar says and stops where it is broken. Without a stack of calls: a text may be deep. */
class Finder {
  #at = 0;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }

  find(): Problem {
    try {
      this.#document();
    } catch (problem) {
      if (problem instanceof Problem) return problem;
      throw problem;
    }
    return new Problem(this.#at, 'This is not JSON');
  }

  #document(): void {
    const open: ('}' | ']')[] = [];
    for (;;) {
      this.#value(open);
      if (!this.#close(open)) break;
    }
    this.#take(SPACE);
    if (this.#at < this.#text.length) throw new Problem(this.#at, 'Nothing may follow the end of the value');
  }

  /** A plain value, or the begin of the innermost. */
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

  /** Past what ends with the value just read. @returns whether another value follows */
  #close(open: ('}' | ']')[]): boolean {
    for (let end = open.at(-1); end; end = open.at(-1)) {
      const sign = this.#sign();
      if (sign === ',') {
        const comma = this.#at++;
        if (this.#sign() === end) throw new Problem(comma, `There is a comma before ${end}`);
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
    if (this.#sign() !== '"')
      throw new Problem(this.#at, this.#missing('the name of a field in double quotes'));
    this.#string();
    if (this.#sign() !== ':') throw new Problem(this.#at, this.#missing('a colon'));
    this.#at++;
  }

  #scalar(sign: string): void {
    if (sign === '"') this.#string();
    else if (!this.#take(WORD) && !this.#take(NUMBER))
      throw new Problem(this.#at, sign === "'" ? 'Texts take double quotes' : this.#missing('a value'));
  }

  #string(): void {
    const begin = this.#at++;
    for (;;) {
      const sign = this.#text[this.#at];
      if (sign === undefined || sign === '\n') throw new Problem(begin, 'This text has no end');
      if (sign === '"') break;
      if (sign < ' ')
        throw new Problem(this.#at, 'A text takes a tab or other control character as \\t or \\u0000');
      if (
        sign === '\\' &&
        !/^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(this.#text.slice(this.#at, this.#at + 6))
      )
        throw new Problem(this.#at, 'No such escape: a backslash itself is \\\\');
      this.#at += sign === '\\' ? 2 : 1;
    }
    this.#at++;
  }

  #missing(what: string): string {
    return this.#at >= this.#text.length ? `The text ends where ${what} is missing` : `Expected ${what} here`;
  }

  /** The next sign that is no space. */
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
