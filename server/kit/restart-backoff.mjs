// When to restart a process that crashes: the rule of the supervisor of `npm start` and of the
// primary of several web processes. It loads nothing, to keep both small.

/** After this uptime a crash is not a failed start: the next restart is immediate again. */
const CALM_MS = 60_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
/** While nothing serves: the next start has a good chance, and each second is one of downtime. */
const MAX_DOWN_MS = 1_000;
/** Consecutive failed starts after which a restart is pointless. */
const MAX_FAILED_STARTS = 5;

/** Restarts at once, then after increasing waits while crashes follow each other. */
export class RestartBackoff {
  /** Consecutive crashes of processes that never served. */
  failedStarts = 0;
  #crashes = 0;
  #firstWaitMs;

  /** @param {number} [firstWaitMs] */
  constructor(firstWaitMs = FIRST_WAIT_MS) {
    this.#firstWaitMs = firstWaitMs;
  }

  /** Whether so many starts failed in a row that another one will fail, too. */
  get isHopeless() {
    return this.failedStarts >= MAX_FAILED_STARTS;
  }

  /**
   * Records a crash.
   * @param {{ uptimeMs: number, served: boolean, othersServe?: boolean }} crash
   * @returns {number} milliseconds to wait before the restart
   */
  recordCrash({ uptimeMs, served, othersServe = false }) {
    this.failedStarts = served ? 0 : this.failedStarts + 1;
    this.#crashes = uptimeMs > CALM_MS ? 1 : this.#crashes + 1;
    const longestMs = served && !othersServe ? MAX_DOWN_MS : MAX_WAIT_MS;
    return this.#crashes === 1 ? 0 : Math.min(this.#firstWaitMs * 2 ** (this.#crashes - 2), longestMs);
  }
}
