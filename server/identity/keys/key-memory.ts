import type { ResolvedKey } from './resolve-keys';

const MAX_KEYS = 10_000;

/**
 * Keys that were looked up lately, by the hash of their secret: a hint that saves a call its look-up, never an answer.
 * open_calls decides on the key as it stands; whatever else a request meets, its key is looked up again first.
 */
export class KeyMemory {
  readonly #keys = new Map<string, ResolvedKey>();

  recall(hashHex: string): ResolvedKey | undefined {
    return this.#keys.get(hashHex);
  }

  remember(hashHex: string, key: ResolvedKey): void {
    if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
    this.#keys.set(hashHex, key);
  }

  forget(hashHex: string): void {
    this.#keys.delete(hashHex);
  }
}
