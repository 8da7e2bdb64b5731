/**
 * The longest the event loop stood still at a stretch while `work` ran, in milliseconds. Only as much of it counts as the
 * process computed: on a busy machine it also stands still because others compute. What `work` throws is left out.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
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
  // What `work` did in its last turn shows in the tick after it.
  await new Promise((resolve) => setTimeout(resolve, 2));
  tick();
  clearInterval(timer);
  return longest;
}

/** What `computeReference` takes on two idle cores (10 ms measured; 14 of the same cores' time where others load them). */
const REFERENCE_MS = 10;
const REFERENCE = JSON.stringify(
  Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `name ${at}`, tags: ['a', 'b'] })),
);

/** Computes what is always the same. */
export function computeReference(): void {
  JSON.parse(REFERENCE);
}

/** How many times as long as on an idle machine the same computing takes now; never less than 1. */
function slowdown(): number {
  const times = Array.from({ length: 3 }, () => {
    const begun = process.cpuUsage();
    computeReference();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times) / REFERENCE_MS);
}

/**
 * The least of several tries, as it would be on an idle machine: a busy one makes some of them long, a real block all of
 * them; and it makes all computing slower, as caches and cores are shared, which is measured right after a long one.
 */
export async function leastBlock(
  limitMs: number,
  tries: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries && least > limitMs; at += 1) {
    const block = await longestBlock(work);
    least = Math.min(least, block > limitMs ? block / slowdown() : block);
  }
  return least;
}
