// Limits the total request rate of all clients of a load, or pauses them.
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 50;

export class Pace {
  /** Requests per second; Infinity for no limit. */
  perSecond = Number.POSITIVE_INFINITY;
  #next = 0;
  #stopped = false;

  /** Resolves when the next request may be sent. */
  async waitForTurn(): Promise<void> {
    while (this.#stopped) await sleep(INTERVAL_MS);
    if (this.perSecond === Number.POSITIVE_INFINITY) return;
    // Unused capacity is lost, so that no burst follows a pause.
    this.#next = Math.max(this.#next, performance.now()) + 1000 / this.perSecond;
    await sleep(Math.max(0, this.#next - performance.now()));
    while (this.#stopped) await sleep(INTERVAL_MS);
  }

  stop(): void {
    this.#stopped = true;
  }

  resume(perSecond = this.perSecond): void {
    this.perSecond = perSecond;
    this.#stopped = false;
  }
}
