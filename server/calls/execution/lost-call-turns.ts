import { MAX_ATTEMPTS } from './running-calls';

/** Part of `aloneMs`: how often it asks whether such a call waits. */
const ASK_PART = 0.1;

/** What a process may take next. */
type Turn = 'queued' | 'lost' | 'none';

/**
 * Turns of the calls that were lost with their process twice, and of all others
 * (docs/decisions/0094). Such calls run one by one, so others wait: for `aloneMs` until the process
 * is idle, and for as long while these run. Then, and after a start, they have at least that time.
 */
export class LostCallTurns {
  readonly #aloneMs: number;
  readonly #now: () => number;
  #state: 'others' | 'draining' | 'alone' = 'others';
  /** When the process stopped taking others, then when the first call of the turn started. */
  #since = 0;
  #drainMs = 0;
  #othersUntil: number;

  constructor(aloneMs: number, now = () => performance.now()) {
    this.#aloneMs = aloneMs;
    this.#now = now;
    this.#othersUntil = now() + aloneMs;
  }

  /** @param runs the queued calls that run in this process */
  async choose(runs: readonly { attempts: number }[], isLostWaiting: () => Promise<boolean>): Promise<Turn> {
    const now = this.#now();
    if (this.#state === 'alone') {
      const waitedMs = Math.min(now - this.#since, this.#aloneMs);
      if (runs.some(({ attempts }) => attempts >= MAX_ATTEMPTS))
        return waitedMs < this.#aloneMs ? 'none' : 'queued';
      if (waitedMs < this.#aloneMs && (await isLostWaiting())) return 'lost';
      this.#state = 'others';
      this.#othersUntil = now + this.#drainMs + waitedMs;
    }
    if (this.#state === 'others') {
      if (now < this.#othersUntil) return 'queued';
      this.#othersUntil = now + this.#aloneMs * ASK_PART;
      if (!(await isLostWaiting())) return 'queued';
      this.#state = 'draining';
      this.#since = now;
    }
    if (runs.length > 0 && now - this.#since < this.#aloneMs) return 'none';
    // What still runs then may run for minutes: waiting for it would stop the queue.
    this.#state = 'alone';
    this.#drainMs = now - this.#since;
    this.#since = now;
    return 'lost';
  }
}
