/**
 * Measures the longest block of the event loop while `work` runs, in milliseconds. At most the CPU
 * time of this process counts, to exclude other load on the machine. Errors of `work` are ignored.
 */
export async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let cpu = process.cpuUsage();
  const tick = () => {
    const now = performance.now();
    const used = process.cpuUsage(cpu);
    longest = Math.max(longest, Math.min(now - last, (used.user + used.system) / 1000));
    last = now;
    cpu = process.cpuUsage();
  };
  const timer = setInterval(tick, 1);
  await work().catch(() => undefined);
  // The last turn of `work` shows only in the tick after it.
  await new Promise((resolve) => setTimeout(resolve, 2));
  tick();
  clearInterval(timer);
  return longest;
}

/** CPU time of `computeReference` on two idle cores (measured: 10 ms; 14 ms under load). */
const REFERENCE_MS = 10;
const REFERENCE = JSON.stringify(
  Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `name ${at}`, tags: ['a', 'b'] })),
);

/** A constant amount of computing, as a reference for the speed of the machine. */
export function computeReference(): void {
  JSON.parse(REFERENCE);
}

/** How much slower than an idle machine this one is now; at least 1. */
function measureSlowdown(): number {
  const times = Array.from({ length: 3 }, () => {
    const begun = process.cpuUsage();
    computeReference();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times) / REFERENCE_MS);
}

/**
 * Returns the shortest of several measurements: load lengthens some of them, a real block all.
 * A measurement over the limit is divided by the current slowdown of the machine.
 */
export async function measureLeastBlock(
  limitMs: number,
  tries: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries && least > limitMs; at += 1) {
    const block = await measureLongestBlock(work);
    least = Math.min(least, block > limitMs ? block / measureSlowdown() : block);
  }
  return least;
}
