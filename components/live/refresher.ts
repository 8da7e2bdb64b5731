/** Minimum interval between two refreshes of the same name. */
const GAP_MS = 1_000;
/** The interval is also at least this multiple of the refresh's duration. */
const REST_FACTOR = 3;

/**
 * Runs refreshes on notification: per name one at a time and at most once a second. A notification
 * during a refresh causes another one.
 * @param refresh gets the time of the last notification (`performance.now()`); resolves to true if
 * it must be repeated, because a request was in flight since before
 * @returns `notify` to notify, and `end` to stop
 */
export function createRefresher<Name extends string>(
  refresh: (name: Name, notifiedAt: number) => Promise<boolean>,
): { notify: (names: readonly Name[]) => void; end: () => void } {
  /** When each was last notified, until it is refreshed. */
  const dirty = new Map<Name, number>();
  const running = new Set<Name>();
  let ended = false;

  async function run(name: Name) {
    running.add(name);
    for (let at = dirty.get(name); at !== undefined && !ended; at = dirty.get(name)) {
      dirty.delete(name);
      const from = performance.now();
      const again = await refresh(name, at).catch(() => false);
      if (again && !dirty.has(name)) dirty.set(name, at);
      const took = performance.now() - from;
      await new Promise((done) => setTimeout(done, Math.max(GAP_MS, REST_FACTOR * took) - took));
    }
    running.delete(name);
  }

  return {
    notify(names) {
      const now = performance.now();
      for (const name of names) {
        dirty.set(name, now);
        if (!running.has(name)) void run(name);
      }
    },
    end() {
      ended = true;
    },
  };
}
