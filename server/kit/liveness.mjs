// When a process counts as hung: the rule of the supervisor of `npm start` and of the primary of
// several web processes. It loads nothing, to keep both small.

/** How often a process shows that its event loop runs. */
export const HEARTBEAT_MS = 10_000;
/** Generous, because a process on a busy machine must not be killed. */
const MAX_MISSED = 6;
/** Until a process is ready: it loads its modules, which may take minutes on a busy machine. */
const MAX_MISSED_AT_START = 30;

/**
 * Counts the heartbeats that a process misses in a row. The observer counts its own timer, not the
 * time: a suspended machine or an observer without CPU time does not count.
 */
export class Liveness {
  #missed = 0;
  #max = MAX_MISSED;

  /** Allows more misses until `markReady`. */
  markStarting(max = MAX_MISSED_AT_START) {
    this.#max = max;
  }

  markReady() {
    this.#max = MAX_MISSED;
  }

  /** Whether the process counts as hung. */
  get isHung() {
    return this.#missed >= this.#max;
  }

  /** @param {boolean} alive whether there was a heartbeat since the last call */
  record(alive) {
    this.#missed = alive ? 0 : this.#missed + 1;
  }
}
