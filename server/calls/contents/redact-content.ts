import { HIDDEN, redactText } from './redact-text';
import type { ContentSide } from './schema';

/** Characters read past a cut, so that a secret across it is still recognized. */
const PAST_CUT = 500;
const MAX_LEVELS = 40;

/** The ends of names whose values are secret, without case and separators. */
const SECRET_NAME =
  /(?:(?:password|passwd|passphrase|passcode|pwd|secret|apikey|accesskey|accountkey|privatekey|secretkey|signingkey|sessionkey|authorization|cookie|credential|sessionid|otp)s?|token)\d*$/;
/** Names whose values are secret if they are texts: they also name numbers and objects. */
const SECRET_TEXT_NAME = /^(?:pass|auth|pin|jwt|bearer|cvc|cvv)$|password|passphrase/;
/** Characters of a name that are read, from its end. */
const MAX_NAME = 60;
/** Fields with the name of a value, next to `value`. */
const NAME_FIELDS = ['name', 'key', 'header', 'field'] as const;

/**
 * Writes a value as JSON without secrets. The result is valid JSON also if it was too large: then
 * texts are cut, and further items and fields are left out. The work is bounded by the size.
 */
export function redactContent(value: unknown, maxBytes: number): ContentSide {
  const writer = new ContentWriter(maxBytes);
  writer.write(value, MAX_LEVELS);
  return { json: writer.json, truncated: writer.truncated, redacted: writer.redacted };
}

class ContentWriter {
  json = '';
  truncated = false;
  redacted = false;
  #left: number;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  write(value: unknown, levels: number): void {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.#add(Number.isFinite(value) ? String(value) : 'null');
    else if (typeof value === 'boolean') this.#add(String(value));
    else if (typeof value !== 'object' || value === null) this.#add('null');
    else if (levels === 0) {
      this.truncated = true;
      this.#add('null');
    } else if (Array.isArray(value)) this.#list(value, levels);
    else this.#fields(value as Record<string, unknown>, levels);
  }

  #add(part: string): void {
    this.json += part;
    this.#left -= part.length;
  }

  #isFull(): boolean {
    if (this.#left <= 0) this.truncated = true;
    return this.#left <= 0;
  }

  #text(text: string): void {
    const room = Math.max(0, this.#left);
    const clean = redactText(text.slice(0, room + PAST_CUT));
    const read = Math.min(text.length, room + PAST_CUT);
    if (clean !== text.slice(0, read)) this.redacted = true;
    const cut = cutToBytes(clean, room);
    const isComplete = cut === clean && read === text.length;
    if (!isComplete) this.truncated = true;
    this.#literal(isComplete ? cut : `${cut}…`);
  }

  #hide(): void {
    this.redacted = true;
    this.#literal(HIDDEN);
  }

  #literal(text: string): void {
    const literal = JSON.stringify(text);
    this.json += literal;
    this.#left -= Buffer.byteLength(literal);
  }

  #list(items: readonly unknown[], levels: number): void {
    this.#add('[');
    // A name and its value, as in a list of headers.
    const isPair = items.length === 2 && isSecret(items[0], items[1]);
    for (const [index, item] of items.entries()) {
      if (this.#isFull()) break;
      if (index > 0) this.#add(',');
      if (isPair && index === 1) this.#hide();
      else this.write(item, levels - 1);
    }
    this.#add(']');
  }

  #fields(value: Record<string, unknown>, levels: number): void {
    this.#add('{');
    let first = true;
    const isPair = NAME_FIELDS.some((field) => isSecret(value[field], value.value));
    for (const name in value) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
      if (this.#isFull()) break;
      if (!first) this.#add(',');
      first = false;
      this.#text(name);
      this.#add(':');
      if (isSecret(name, value[name]) || (isPair && name === 'value')) this.#hide();
      else this.write(value[name], levels - 1);
    }
    this.#add('}');
  }
}

/** Whether a value is secret because of its name. */
function isSecret(name: unknown, value: unknown): boolean {
  if (typeof name !== 'string' || value === null || value === undefined || value === '') return false;
  const plain = name
    .slice(-MAX_NAME)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return SECRET_NAME.test(plain) || (typeof value === 'string' && SECRET_TEXT_NAME.test(plain));
}

/** Cuts a text until it has at most this many bytes as JSON, quotation marks aside. */
function cutToBytes(text: string, maxBytes: number): string {
  let cut = text.slice(0, maxBytes);
  for (;;) {
    const bytes = Buffer.byteLength(JSON.stringify(cut)) - 2;
    if (bytes <= maxBytes) return cut;
    cut = cut.slice(0, Math.floor((cut.length * maxBytes) / bytes));
  }
}
