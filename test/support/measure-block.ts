import { existsSync, readFileSync } from 'node:fs';

/** Linux's counters of the thread of the event loop: its CPU time in nanoseconds comes first. */
const THREAD_COUNTERS = `/proc/self/task/${process.pid}/schedstat`;
const hasThreadCounters = existsSync(THREAD_COUNTERS);

/** CPU time of the thread of the event loop in ms; of the process where only that is known. */
function readCpuMs(): number {
  if (hasThreadCounters) return Number.parseInt(readFileSync(THREAD_COUNTERS, 'utf8'), 10) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures the longest block of the event loop while `work` runs, in milliseconds. At most the CPU
 * time of its thread counts, to exclude other load on the machine and work of other threads. Errors
 * of `work` are ignored.
 */
export async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let cpu = readCpuMs();
  const tick = () => {
    const now = performance.now();
    const used = readCpuMs();
    longest = Math.max(longest, Math.min(now - last, used - cpu));
    last = now;
    cpu = used;
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
    const started = readCpuMs();
    computeReference();
    return readCpuMs() - started;
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

/**
 * Returns the CPU time of one `work` in milliseconds on an idle machine: the median, because some
 * runs also collect the garbage of others.
 */
export async function measureCpuMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 101; run += 1) {
    const started = readCpuMs();
    await work();
    times.push(readCpuMs() - started);
  }
  return (times.sort((one, other) => one - other)[50] ?? 0) / measureSlowdown();
}
