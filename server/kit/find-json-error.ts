/** Where a text stops being JSON. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  /** The character there; null at the end of the text. */
  readonly found: string | null;
}

const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings have none
const STRING = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /(?:true|false|null)(?![\w$])/y;
const VALUE =
  'a value in JSON: an object, an array, a string in double quotes, a number, true, false or null';

/** Finds the first character that makes a text invalid as JSON; null if it is valid. */
export function findJsonError(text: string): JsonError | null {
  return new JsonReader(text).read();
}

/** What must follow; `first` and `firstName` may also be the end of an array or object. */
type Next = 'value' | 'first' | 'name' | 'firstName' | 'after';

class JsonReader {
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  #at = 0;
  #next: Next = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonError | null {
    for (;;) {
      this.#take(SPACE);
      const isDone = this.#next === 'after' && this.#open.length === 0;
      if (isDone && this.#at === this.#text.length) return null;
      const expected = isDone ? 'the end of the text' : this.#step();
      if (expected !== null) return this.#describe(expected);
    }
  }

  /** Reads the next part. Returns what was expected instead. */
  #step(): string | null {
    switch (this.#next) {
      case 'after':
        return this.#readAfter();
      case 'name':
      case 'firstName':
        return this.#readName(this.#next === 'firstName');
      default:
        return this.#readValue(this.#next === 'first');
    }
  }

  #readValue(mayClose: boolean): string | null {
    const next = this.#text[this.#at];
    if (mayClose && next === ']') return this.#close();
    if (next === '{' || next === '[') {
      this.#at += 1;
      this.#open.push(next);
      this.#next = next === '{' ? 'firstName' : 'first';
      return null;
    }
    this.#next = 'after';
    if (next === '"') return this.#readString();
    return this.#take(NUMBER) || this.#take(WORD) ? null : VALUE;
  }

  /** Reads what follows a value within an object or array. */
  #readAfter(): string | null {
    const end = this.#open.at(-1) === '{' ? '}' : ']';
    const next = this.#text[this.#at];
    if (next === end) return this.#close();
    if (next !== ',') return `a comma or ${end}`;
    this.#at += 1;
    this.#next = end === '}' ? 'name' : 'value';
    return null;
  }

  #readName(mayClose: boolean): string | null {
    if (mayClose && this.#text[this.#at] === '}') return this.#close();
    if (this.#text[this.#at] !== '"') return `a field name in double quotes${mayClose ? ' or }' : ''}`;
    const wrong = this.#readString();
    if (wrong !== null) return wrong;
    this.#take(SPACE);
    if (this.#text[this.#at] !== ':') return 'a colon after the field name';
    this.#at += 1;
    this.#next = 'value';
    return null;
  }

  #readString(): string | null {
    this.#take(STRING);
    const next = this.#text[this.#at];
    if (next === '\\') return 'an escape such as \\n, \\" or \\u00e9';
    if (next !== undefined && next < ' ') return 'control characters in strings as escapes, such as \\n';
    if (next !== '"') return 'a double quote that ends the string';
    this.#at += 1;
    return null;
  }

  #close(): null {
    this.#at += 1;
    this.#open.pop();
    this.#next = 'after';
    return null;
  }

  /** Whether the pattern matches here; then moves behind the match. */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found !== null && found[0] !== '';
  }

  #describe(expected: string): JsonError {
    const before = this.#text.slice(0, this.#at);
    const found = this.#text.codePointAt(this.#at);
    return {
      line: before.split('\n').length,
      column: before.length - before.lastIndexOf('\n'),
      expected,
      found: found === undefined ? null : String.fromCodePoint(found),
    };
  }
}
