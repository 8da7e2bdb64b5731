import type { AnyProviderName } from '../../platform/settings/providers';

/** Where a call's credential comes from, in order of precedence. */
export type CredentialSource = 'header' | 'saved' | 'platform';

/** Replaces a provider key in a text. */
const REDACTED = '[provider key]';
/** A fragment of a key with this many characters is secret; a shorter one only shows its prefix. */
const MIN_SECRET_CHARS = 8;
const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/**
 * A call's credential. The key is in a private field, so that logs, JSON and debug output never
 * show it.
 */
export class CallCredential {
  readonly slot: AnyProviderName;
  readonly source: CredentialSource;
  readonly #key: string;

  constructor(slot: AnyProviderName, source: CredentialSource, key: string) {
    this.slot = slot;
    this.source = source;
    this.#key = key;
  }

  /** Whether the key is the caller's own (BYOK): then the provider bills them. */
  get isByok(): boolean {
    return this.source !== 'platform';
  }

  /** Returns the key, for the provider and the vault only. */
  reveal(): string {
    return this.#key;
  }

  /**
   * Replaces the key in a text, because some providers repeat it in errors. Also replaces a part of
   * it at the end of a truncated text.
   */
  redact(text: string): string {
    const clean = text.replaceAll(this.#key, REDACTED);
    for (let chars = this.#key.length - 1; chars >= MIN_SECRET_CHARS; chars -= 1)
      if (clean.endsWith(this.#key.slice(0, chars))) return `${clean.slice(0, -chars)}${REDACTED}`;
    return clean;
  }

  /**
   * Does the same for JSON text, in which the key may be escaped, and in which an escape may look
   * like a part of it: `\re_…` begins with a carriage return. Returns valid JSON.
   */
  redactJson(text: string): string {
    if (!text.includes(JSON.stringify(this.#key).slice(1, -1))) return text;
    // Cannot throw: the literal is one string of valid JSON
    return text.replace(JSON_STRING, (literal) => JSON.stringify(this.redact(JSON.parse(literal))));
  }
}
