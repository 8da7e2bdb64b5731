import vm from 'node:vm';

/** The work was not done in its time. */
export class OutOfTime extends Error {}

const context = vm.createContext(Object.assign(Object.create(null), { work: () => undefined }));
const script = new vm.Script('work()');

/**
 * Does something that computes, ending it when its time is over: loops and regular expressions of strangers too. Costs a
 * tenth of a millisecond; what is cut off must leave nothing half done.
 * @throws OutOfTime, or whatever the work throws
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  let done: { value: T } | undefined;
  const before = context.work;
  context.work = () => {
    done = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: limitMs });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new OutOfTime();
    throw error;
  } finally {
    context.work = before;
  }
  if (!done) throw new OutOfTime();
  return done.value;
}

/** Work that got less than this share of its time did not compute so long: others had the processor. */
const STARVED_SHARE = 0.5;
const TRIES = 4;

/**
 * withinTime for work that may be done several times: on a busy machine its time may be over while others compute, and then
 * it is tried again.
 * @throws OutOfTime, or whatever the work throws
 */
export function withinComputedTime<T>(limitMs: number, work: () => T): T {
  for (let tries = 1; ; tries++) {
    const before = process.cpuUsage();
    try {
      return withinTime(limitMs, work);
    } catch (error) {
      const { user, system } = process.cpuUsage(before);
      const isStarved = (user + system) / 1_000 < limitMs * STARVED_SHARE;
      if (!(error instanceof OutOfTime) || !isStarved || tries === TRIES) throw error;
    }
  }
}
