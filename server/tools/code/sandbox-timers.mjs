/** Pending timers at one time; further ones are not started. */
const MAX_TIMERS = 1_000;
/** Promise jobs to run between two checks of the deadline. */
const JOBS_AT_ONCE = 1_000;

/** @typedef {import('quickjs-emscripten').QuickJSHandle} Handle */
/**
 * @typedef {object} Clock
 * @property {() => number} getDeadline in milliseconds of `performance.now()`
 * @property {() => boolean} isPast
 * @property {() => void} expire marks the time limit as exceeded
 */

/**
 * Adds `setTimeout` and `clearTimeout` to the sandbox and runs its promise jobs.
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
   * Runs what is due. Returns true to continue, false if nothing can run any more, or a handle to
   * an uncaught error.
   */
  async function runDueWork() {
    const jobs = context.runtime.executePendingJobs(JOBS_AT_ONCE);
    // Interrupted or out of memory; errors thrown by code reject its promise instead.
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
    // As in browsers, an error in a timer callback does not end the program.
    const result = callback.consume((call) => context.callFunction(call, context.undefined));
    (result.error ?? result.value).dispose();
    return true;
  }

  return {
    /**
     * Runs the sandbox until a promise settles.
     * @param {Handle} promise or any other value, which is returned as it is
     * @returns {Promise<{ value: Handle, error?: undefined } | { error: Handle } | null>}
     *   null if the promise can never settle
     */
    async settle(promise) {
      for (;;) {
        const state = context.getPromiseState(promise);
        if (state.type === 'fulfilled') return { value: state.value };
        if (state.type === 'rejected') return { error: state.error };
        const went = await runDueWork();
        if (went === false) return null;
        if (went !== true) return { error: went };
      }
    },
  };
}
