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

/** Work that computed for a smaller share of its time than this had to wait for the processor. */
const STARVED_SHARE = 0.5;
const TRIES = 4;

/**
 * withinTime for work that may be repeated: it is, where its time was over because others computed.
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
