/** Minimum interval between two refreshes of the same name. */
const GAP_MS = 1_000;
/** The interval is also at least this multiple of the refresh's duration. */
const REST_FACTOR = 3;

/**
 * Runs refreshes on notification: per name one at a time and at most once a second. A notification
 * during a refresh causes another one.
 * @param refresh resolves to true if it must be repeated, because a request was already in flight
 * @returns `notify` to notify, and `end` to stop
 */
export function createRefresher<Name extends string>(
  refresh: (name: Name) => Promise<boolean>,
): { notify: (names: readonly Name[]) => void; end: () => void } {
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
    notify(names) {
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
