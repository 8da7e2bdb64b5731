/** The file that the runtime of the bundler names in its error. */
const CHUNK = /\/_next\/static\/[^\s"']+\.(?:js|css)/;
/** The time of the last reload, in this tab. Soon after it, another one would not help. */
const RELOADED_AT = 'reloaded-at';
const RELOAD_PAUSE_MS = 60_000;

/** What a person may try again, after its script could not be fetched. */
const failed = new Set<() => void>();
const listeners = new Set<() => void>();

function publish() {
  for (const listener of listeners) listener();
}

/**
 * Fetches a part of the page whose code is loaded on demand. If that fails, the page stays as it
 * is and `PartProblem` offers to try again; after an upgrade of the gateway, the page reloads once.
 * @param load a dynamic import
 * @returns a function that gives the part up
 */
export function loadPart<T>(load: () => Promise<T>, onLoaded: (part: T) => void): () => void {
  let wanted = true;
  function attempt() {
    load().then(
      (part) => wanted && onLoaded(part),
      async (error: unknown) => {
        if ((await reloadAfterUpgrade(error)) || !wanted) return;
        failed.add(attempt);
        publish();
      },
    );
  }
  attempt();
  return () => {
    wanted = false;
    if (failed.delete(attempt)) publish();
  };
}

/** Tries again to fetch everything that has failed. */
export function retryParts(): void {
  const attempts = [...failed];
  failed.clear();
  publish();
  for (const attempt of attempts) attempt();
}

export function subscribeToFailures(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hasFailedParts(): boolean {
  return failed.size > 0;
}

/**
 * Reloads the page if the script of the error is no longer served, because the gateway has another
 * version by now. At most once a minute: a part has several scripts, and any may be named.
 * @returns whether the page reloads
 */
export async function reloadAfterUpgrade(error: unknown): Promise<boolean> {
  const [chunk] = CHUNK.exec(error instanceof Error ? error.message : '') ?? [];
  if (chunk === undefined || !(await isGone(chunk))) return false;
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_PAUSE_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  } catch {
    // Without storage the page could reload again and again.
    return false;
  }
  location.reload();
  return true;
}

/** False if the gateway does not respond. */
async function isGone(path: string): Promise<boolean> {
  const { status } = await fetch(path, { method: 'HEAD', cache: 'no-store' }).catch(() => ({ status: 0 }));
  return status === 404;
}
