import type { AnySlot } from '../../platform/settings/providers';

/** Where a call's credential is from, in the order in which they are looked for. */
export type CredentialSource = 'header' | 'saved' | 'platform';

/** In place of a key that a provider, or a tool, has put into a text. */
const REDACTED = '[provider key]';
/** So many characters of a key are more than its kind. */
const TELLING_CHARS = 8;
const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/**
 * The credential that a call is made with. Its key is in no field that a log, JSON or a print for
 * debugging would show: calls are logged and stored by many hands.
 */
export class CallCredential {
  readonly slot: AnySlot;
  readonly source: CredentialSource;
  readonly #key: string;

  constructor(slot: AnySlot, source: CredentialSource, key: string) {
    this.slot = slot;
    this.source = source;
    this.#key = key;
  }

  /** Whether the provider bills the client. */
  get isOwn(): boolean {
    return this.source !== 'platform';
  }

  /** The key itself: for the provider, and for the vault. */
  reveal(): string {
    return this.#key;
  }

  /**
   * A text without the key, should it be in there: some providers repeat what they refuse. Also
   * where the text was cut in it.
   */
  redact(text: string): string {
    const clean = text.replaceAll(this.#key, REDACTED);
    for (let chars = this.#key.length - 1; chars >= TELLING_CHARS; chars -= 1)
      if (clean.endsWith(this.#key.slice(0, chars))) return `${clean.slice(0, -chars)}${REDACTED}`;
    return clean;
  }

  /**
   * The same for JSON, where a key with quotes or backslashes is written otherwise, and where it
   * may only seem to be: `\re_…` begins with a carriage return. What comes out is JSON again.
   */
  redactJson(text: string): string {
    if (!text.includes(JSON.stringify(this.#key).slice(1, -1))) return text;
    // raises nothing: the literal is one string of valid JSON
    return text.replace(JSON_STRING, (literal) => JSON.stringify(this.redact(JSON.parse(literal))));
  }
}
