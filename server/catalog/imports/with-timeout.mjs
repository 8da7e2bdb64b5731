// Time limits for synchronous work of a worker. Plain JavaScript: workers run unbundled.
import vm from 'node:vm';

/** The work exceeded its time limit. */
export class TimeLimitError extends Error {}

const context = vm.createContext(
  Object.assign(Object.create(null), { work: () => /** @type {void} */ (undefined) }),
);
const script = new vm.Script('work()');

/**
 * Runs synchronous work and interrupts it at the time limit, also in loops and untrusted regular
 * expressions. Interrupted work must leave no state half changed.
 * @template T
 * @param {number} limitMs
 * @param {() => T} work
 * @returns {T}
 * @throws TimeLimitError, or what the work throws
 */
export function withTimeout(limitMs, work) {
  /** @type {{ value: T } | undefined} */
  let done;
  const before = context.work;
  context.work = () => {
    done = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: limitMs });
  } catch (error) {
    if (/** @type {{ code?: unknown }} */ (error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new TimeLimitError();
    throw error;
  } finally {
    context.work = before;
  }
  if (!done) throw new TimeLimitError();
  return done.value;
}

/** Work that used a smaller share of its time limit on the CPU was starved by other processes. */
const STARVED_SHARE = 0.5;
const TRIES = 4;

/**
 * `withTimeout` for repeatable work: retries it if it timed out because it was starved of CPU time.
 * @template T
 * @param {number} limitMs
 * @param {() => T} work
 * @returns {T}
 * @throws TimeLimitError, or what the work throws
 */
export function withCpuTimeout(limitMs, work) {
  for (let tries = 1; ; tries++) {
    const before = process.cpuUsage();
    try {
      return withTimeout(limitMs, work);
    } catch (error) {
      const { user, system } = process.cpuUsage(before);
      const isStarved = (user + system) / 1_000 < limitMs * STARVED_SHARE;
      if (!(error instanceof TimeLimitError) || !isStarved || tries === TRIES) throw error;
    }
  }
}
