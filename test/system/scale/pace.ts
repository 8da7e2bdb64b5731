// Limits the clients of a load to a rate in all, or stops them for a while.
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 50;

export class Pace {
  /** Requests a second; Infinity: no limit. */
  perSecond = Number.POSITIVE_INFINITY;
  #next = 0;
  #stopped = false;

  /** Resolves when one request may be sent. */
  async turn(): Promise<void> {
    while (this.#stopped) await sleep(INTERVAL_MS);
    if (this.perSecond === Number.POSITIVE_INFINITY) return;
    // Unused turns are lost: a pause is not followed by a burst.
    this.#next = Math.max(this.#next, performance.now()) + 1000 / this.perSecond;
    await sleep(Math.max(0, this.#next - performance.now()));
    while (this.#stopped) await sleep(INTERVAL_MS);
  }

  stop(): void {
    this.#stopped = true;
  }

  go(perSecond = this.perSecond): void {
    this.perSecond = perSecond;
    this.#stopped = false;
  }
}
