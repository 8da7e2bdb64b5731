/** Timers that wait at once; more are not started. */
const MAX_TIMERS = 1_000;
/** Jobs of promises run between two looks at the clock. */
const JOBS_AT_ONCE = 1_000;

/** @typedef {import('quickjs-emscripten').QuickJSHandle} Handle */
/**
 * @typedef {object} Clock
 * @property {() => number} getDeadline by the clock of `performance`
 * @property {() => boolean} isPast
 * @property {() => void} expire the program's time is over
 */

/**
 * Gives the sandbox `setTimeout` and `clearTimeout`, and runs its promises.
 * @param {import('quickjs-emscripten').QuickJSContext} context
 * @param {Clock} clock
 * @param {(ms: number) => Promise<void>} sleep
 */
export function createTimers(context, clock, sleep) {
  /** @type {Map<number, { at: number, callback: Handle }>} */
  const timers = new Map();
  let last = 0;
  const set = context.newFunction('setTimeout', (callback, delay) => {
    if (context.typeof(callback) !== 'function' || timers.size >= MAX_TIMERS) return context.newNumber(0);
    const ms = delay ? context.getNumber(delay) : 0;
    last += 1;
    timers.set(last, { at: performance.now() + Math.max(ms || 0, 0), callback: callback.dup() });
    return context.newNumber(last);
  });
  const clear = context.newFunction('clearTimeout', (id) => {
    const timer = id && timers.get(context.getNumber(id));
    if (!timer) return;
    timer.callback.dispose();
    timers.delete(context.getNumber(id));
  });
  context.setProp(context.global, 'setTimeout', set);
  context.setProp(context.global, 'clearTimeout', clear);

  /**
   * Runs what is due. False where nothing is left that could run; a handle where it ended in an
   * error that none catches.
   */
  async function turn() {
    const jobs = context.runtime.executePendingJobs(JOBS_AT_ONCE);
    // Interrupted, or out of memory: what code throws is caught by its promise.
    if (jobs.error) return jobs.error;
    if (jobs.value > 0) return !clock.isPast();
    const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at);
    if (!next) return false;
    const [id, { at, callback }] = next;
    const now = performance.now();
    const deadline = clock.getDeadline();
    if (at > deadline) {
      await sleep(Math.max(0, deadline - now));
      clock.expire();
      return false;
    }
    if (at > now) await sleep(at - now);
    timers.delete(id);
    // An error in a callback is nobody's: as in browsers, the rest goes on.
    const result = callback.consume((call) => context.callFunction(call, context.undefined));
    (result.error ?? result.value).dispose();
    return true;
  }

  return {
    /**
     * What a promise comes to, or the value itself.
     * @param {Handle} promise
     * @returns {Promise<{ value: Handle, error?: undefined } | { error: Handle } | null>} null: it never settles
     */
    async settle(promise) {
      for (;;) {
        const state = context.getPromiseState(promise);
        if (state.type === 'fulfilled') return { value: state.value };
        if (state.type === 'rejected') return { error: state.error };
        const went = await turn();
        if (went === false) return null;
        if (went !== true) return { error: went };
      }
    },
  };
}
