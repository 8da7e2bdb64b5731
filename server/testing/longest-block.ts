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

/** The least of several tries: a busy machine makes some of them long, a real block all of them. */
export async function leastBlock(
  limitMs: number,
  tries: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries && least > limitMs; at += 1) least = Math.min(least, await longestBlock(work));
  return least;
}
