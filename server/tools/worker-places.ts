import { SkillError } from './define-tool';

/** A task's right to compute. */
export interface Place {
  /** It has computed for a while, and so counts among the long ones. */
  long: boolean;
}

interface Limits {
  /** Tasks that compute at once. */
  readonly total: number;
  /** Long ones among them. The rest is kept for tasks that have just begun, so that these never wait for long ones. */
  readonly long: number;
  /** Tasks that may wait; more are refused, so that a flood ends in quick answers and not in memory. */
  readonly waiting: number;
}

/** Who computes and who waits: first come, first served, but for the places that long tasks may not have. */
export class WorkerPlaces {
  readonly #limits: Limits;
  readonly #waiting = new Set<{ long: boolean; start: () => void }>();
  #running = 0;
  #long = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Waits for a place.
   * @param long true for a task that is known to take long
   * @throws {SkillError} when too many wait
   * @throws the signal's reason when it aborts
   */
  async take(long: boolean, signal: AbortSignal): Promise<Place> {
    if (this.#isFree(long)) return this.#occupy(long);
    if (this.#waiting.size >= this.#limits.waiting)
      throw new SkillError('Too many calculations are waiting. Try again in a few seconds.');
    return await new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', onAbort);
        resolve(this.#occupy(long));
      };
      const waiter = { long, start };
      const onAbort = () => {
        this.#waiting.delete(waiter);
        reject(signal.reason);
      };
      this.#waiting.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Counts a task among the long ones; false where there are too many of them, and it has to leave. */
  becomeLong(place: Place): boolean {
    if (place.long) return true;
    if (this.#long >= this.#limits.long) return false;
    place.long = true;
    this.#long += 1;
    return true;
  }

  /** Gives a place back, to who waits longest for one of its kind. */
  leave(place: Place): void {
    this.#running -= 1;
    if (place.long) this.#long -= 1;
    for (const waiter of this.#waiting) {
      if (!this.#isFree(waiter.long)) continue;
      this.#waiting.delete(waiter);
      waiter.start();
    }
  }

  #isFree(long: boolean): boolean {
    return this.#running < this.#limits.total && (!long || this.#long < this.#limits.long);
  }

  #occupy(long: boolean): Place {
    this.#running += 1;
    if (long) this.#long += 1;
    return { long };
  }
}
