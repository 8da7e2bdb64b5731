// Holds the clients of a load to a rate in all, or stops them for a while.
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 50;

/** Whoever takes a turn may send one request. */
export class Pace {
  /** Turns a second; Infinity gives them as they are asked for. */
  perSecond = Number.POSITIVE_INFINITY;
  #next = 0;
  #stopped = false;

  async turn() {
    while (this.#stopped) await sleep(LOOK_MS);
    if (this.perSecond === Number.POSITIVE_INFINITY) return;
    // Turns that nobody took are lost: what was missed is not made up for by a flood.
    this.#next = Math.max(this.#next, performance.now()) + 1000 / this.perSecond;
    await sleep(Math.max(0, this.#next - performance.now()));
    while (this.#stopped) await sleep(LOOK_MS);
  }

  stop() {
    this.#stopped = true;
  }

  /** @param {number} [perSecond] */
  go(perSecond = this.perSecond) {
    this.perSecond = perSecond;
    this.#stopped = false;
  }
}
