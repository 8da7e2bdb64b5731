/** What has changed is asked for again at most this often. */
const GAP_MS = 1_000;
/** And no more than a part of the time: what is slow to answer is asked more seldom. */
const REST_FACTOR = 3;

/**
 * Brings things up to date when told, each at most once a second and one round at a time; what is told during a round is
 * another round.
 * @param refresh true: some of it was on its way already, and may be from before
 * @returns how to tell, and how to end it
 */
export function createRefresher<Name extends string>(
  refresh: (name: Name) => Promise<boolean>,
): { tell: (names: readonly Name[]) => void; end: () => void } {
  const dirty = new Set<Name>();
  const running = new Set<Name>();
  let ended = false;

  async function run(name: Name) {
    running.add(name);
    while (dirty.delete(name) && !ended) {
      const from = performance.now();
      const again = await refresh(name).catch(() => false);
      if (again) dirty.add(name);
      const took = performance.now() - from;
      await new Promise((done) => setTimeout(done, Math.max(GAP_MS, REST_FACTOR * took) - took));
    }
    running.delete(name);
  }

  return {
    tell(names) {
      for (const name of names) {
        dirty.add(name);
        if (!running.has(name)) void run(name);
      }
    },
    end() {
      ended = true;
    },
  };
}
