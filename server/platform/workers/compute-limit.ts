import { guarded } from '../../kit/guarded';
import { readWaitsMs } from './processor-waits';

/** When the waits of a task are first read; earlier ones count as computing. */
const FIRST_READ_MS = 100;
/** A task that gets no processor is ended after this many times its limit. */
const MAX_STRETCH = 20;
/** The precision of timers: a shorter remainder is not worth another timer. */
const SHORTEST_MS = 10;

/**
 * Ends a task that has computed for too long. On Linux, time in which it was ready to run but other
 * processes had the processors does not count.
 */
export class ComputeLimit {
  readonly #pid: number;
  readonly #limitMs: number;
  readonly #onPassed: () => void;
  readonly #readWaits: typeof readWaitsMs;
  readonly #startedAt = performance.now();
  readonly #firstRead: NodeJS.Timeout;
  #end: NodeJS.Timeout;
  #waitsAtStart: ReadonlyMap<number, number> = new Map();
  /** Milliseconds of waiting by which the limit has been extended. */
  #extendedMs = 0;

  /**
   * Starts the clock.
   * @param pid of the process that contains the task, with all its threads and child processes
   * @param onPassed called once, when the limit has passed
   * @param readWaits for tests: another way to read the waits of the threads
   */
  constructor(pid: number, limitMs: number, onPassed: () => void, readWaits = readWaitsMs) {
    this.#pid = pid;
    this.#limitMs = limitMs;
    this.#onPassed = onPassed;
    this.#readWaits = readWaits;
    this.#firstRead = setTimeout(
      guarded(() => {
        this.#waitsAtStart = readWaits(pid);
      }),
      Math.min(FIRST_READ_MS, limitMs / 2),
    );
    this.#end = this.#checkIn(limitMs);
  }

  stop(): void {
    clearTimeout(this.#firstRead);
    clearTimeout(this.#end);
  }

  #checkIn(ms: number): NodeJS.Timeout {
    return setTimeout(
      guarded(() => this.#check()),
      ms,
    );
  }

  #check(): void {
    const missingMs = this.#waitedMs() - this.#extendedMs;
    const maxMs = this.#startedAt + this.#limitMs * MAX_STRETCH - performance.now();
    if (missingMs < SHORTEST_MS || maxMs < SHORTEST_MS) {
      this.#onPassed();
      return;
    }
    this.#extendedMs += missingMs;
    this.#end = this.#checkIn(Math.min(missingMs, maxMs));
  }

  /** The longest wait of any thread: threads that wait at the same time are not added up. */
  #waitedMs(): number {
    let longest = 0;
    for (const [thread, ms] of this.#readWaits(this.#pid))
      longest = Math.max(longest, ms - (this.#waitsAtStart.get(thread) ?? 0));
    return longest;
  }
}
