/** The longest the event loop stood still while `work` ran, in milliseconds. Whatever `work` throws is left out. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
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
