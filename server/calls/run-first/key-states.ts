import { type KeyRules, limitQuotas } from '../../core/limits/key-rules';
import type { Quotas, WindowState } from '../../core/limits/windows';
import type { Microusd } from '../../kit/money';

/** How long limits and funds count as known after the database reported them. */
const KNOWN_MS = 10_000;
const MAX_KEYS = 10_000;
/** Calls and funds that must remain for each call that runs before it is admitted. */
const RESERVE = 3;

/** What the database last reported about a key, and its calls that are not admitted yet. */
interface KeyState {
  /** When it was reported; null if the key was refused since. */
  at: number | null;
  available: Microusd;
  windows: WindowState;
  unadmitted: number;
}

/**
 * Decides which calls may run before they are admitted: those of keys that were well within their
 * limits and funds moments ago. The statement that admits them decides; this only limits how much
 * work of a refused call is wasted, and how many calls of a key run at once in this process.
 */
export class KeyStates {
  readonly #keys = new Map<string, KeyState>();
  readonly #quotas: Quotas;
  readonly #countRunning: (keyId: string) => number;
  readonly #now: () => number;

  /**
   * @param countRunning the admitted calls of a key that run in this process
   * @param now clock in milliseconds; tests replace it
   */
  constructor(
    quotas: Quotas,
    countRunning: (keyId: string) => number,
    now: () => number = () => performance.now(),
  ) {
    this.#quotas = quotas;
    this.#countRunning = countRunning;
    this.#now = now;
  }

  /** Notes what the database reported about a key with an admitted call. */
  report(keyId: string, available: Microusd, windows: WindowState): void {
    const known = this.#keys.get(keyId);
    if (known) Object.assign(known, { at: this.#now(), available, windows });
    else {
      if (this.#keys.size >= MAX_KEYS) this.#removeIdle();
      this.#keys.set(keyId, { at: this.#now(), available, windows, unadmitted: 0 });
    }
  }

  /** Notes that a call of the key ran and was refused: the next ones are admitted first. */
  forget(keyId: string): void {
    const known = this.#keys.get(keyId);
    if (known) known.at = null;
  }

  /**
   * Counts a call that runs before it is admitted.
   * @param hold the most that it can cost
   * @param calls it and those that are about to begin with it: elements of a batch
   * @returns a function that ends the count, once the call is admitted or refused; null if the call
   *   must be admitted first
   */
  tryBegin(keyId: string, hold: Microusd, rules: KeyRules | null = null, calls = 1): (() => void) | null {
    // How much of a spending limit is left is not known here.
    if (rules?.spendPeriod) return null;
    const known = this.#keys.get(keyId);
    if (!known || known.at === null || this.#now() - known.at > KNOWN_MS) return null;
    const running = known.unadmitted + this.#countRunning(keyId) + calls;
    const reserved = RESERVE * running;
    const { perWindow, concurrent } = limitQuotas(this.#quotas, rules);
    if (running > concurrent) return null;
    if (known.available < hold * BigInt(reserved)) return null;
    if (known.windows.some(({ used }, place) => used + reserved > (perWindow[place] ?? 0))) return null;
    known.unadmitted++;
    return () => {
      known.unadmitted--;
    };
  }

  #removeIdle(): void {
    for (const [keyId, { unadmitted }] of this.#keys) if (unadmitted === 0) this.#keys.delete(keyId);
  }
}
