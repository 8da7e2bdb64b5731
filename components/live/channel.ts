import type { LiveEvents, LiveName } from '@/server/core/live/schema';

/** `lost`: it has failed for a while, or is over; what is shown is then brought up to date when one comes back to it. */
export type LiveState = 'connecting' | 'live' | 'lost';

interface ChannelOptions {
  /** What the page was made from; empty where that is not known. */
  token: string;
  /** Whose page it is. */
  userId: string;
  onChange: (names: readonly LiveName[]) => void;
  onState: (state: LiveState) => void;
  /** The page is no longer of whoever is signed in: its figures must not become theirs under another's name. */
  onStranger: () => void;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** Written out: the schema's own list would bring zod along to every page. */
const EVERYTHING: readonly LiveName[] = ['balance', 'calls', 'jobs'];
/** After so many failures in a row it counts as lost; it is tried on. */
const LOST_AFTER = 3;

/**
 * The one line of a tab to the gateway, open while the tab can be seen. Whenever it opens, it is told what has changed
 * since it was closed.
 * @returns how to end it
 */
export function openChannel({ token, userId, onChange, onState, onStranger }: ChannelOptions): () => void {
  let known = token;
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let state: LiveState = 'connecting';
  /** The session is over: nothing brings it back. */
  let over = false;

  function become(next: LiveState) {
    if (next !== state) onState(next);
    state = next;
  }

  function close() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }

  function connect() {
    close();
    if (over || document.visibilityState === 'hidden') return;
    const line = new EventSource(
      `/api/live?${new URLSearchParams({ ...(known && { since: known }), of: userId })}`,
    );
    source = line;
    line.addEventListener('changed', ({ data }) => {
      const { names, token: now }: LiveEvents['changed'] = JSON.parse(data);
      failures = 0;
      known = now;
      become('live');
      if (names.length > 0) onChange(names);
    });
    line.addEventListener('over', ({ data }) => {
      const { reason }: LiveEvents['over'] = JSON.parse(data);
      over = reason !== 'replaced';
      close();
      become('lost');
      if (reason === 'other-person') onStranger();
    });
    line.addEventListener('error', () => {
      if (source !== line) return;
      close();
      failures++;
      if (failures >= LOST_AFTER) become('lost');
      retry = setTimeout(connect, retryDelay(failures));
    });
  }

  function comeBack() {
    if (document.visibilityState === 'hidden') {
      close();
      return;
    }
    // Whoever comes back may be somebody else, or must sign in again.
    if (over) {
      onStranger();
      return;
    }
    if (state === 'lost') onChange(EVERYTHING);
    if (!source) {
      failures = 0;
      connect();
    }
  }

  const leave = () => close();
  document.addEventListener('visibilitychange', comeBack);
  window.addEventListener('focus', comeBack);
  window.addEventListener('online', comeBack);
  window.addEventListener('pageshow', comeBack);
  window.addEventListener('pagehide', leave);
  connect();
  return () => {
    close();
    document.removeEventListener('visibilitychange', comeBack);
    window.removeEventListener('focus', comeBack);
    window.removeEventListener('online', comeBack);
    window.removeEventListener('pageshow', comeBack);
    window.removeEventListener('pagehide', leave);
  };
}

/** Longer each time, and never the same for all: a gateway that comes back is not stormed. */
export function retryDelay(failures: number): number {
  const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
  return longest * (0.5 + Math.random() / 2);
}
