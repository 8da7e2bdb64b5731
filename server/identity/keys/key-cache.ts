import type { ResolvedKey } from './resolve-keys';

const MAX_KEYS = 10_000;

/**
 * Caches recently resolved keys by the hash of their secret. An entry only saves a call the
 * look-up; it never authorizes one.
 * admit_calls checks the current key, and every other request resolves its key again.
 */
export class KeyCache {
  readonly #keys = new Map<string, ResolvedKey>();

  get(hashHex: string): ResolvedKey | undefined {
    return this.#keys.get(hashHex);
  }

  set(hashHex: string, key: ResolvedKey): void {
    if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
    this.#keys.set(hashHex, key);
  }

  delete(hashHex: string): void {
    this.#keys.delete(hashHex);
  }
}
