import type { LiveEvents, LiveName } from '@/server/core/live/schema';

/**
 * `lost`: the connection has failed for a while or has ended. The data is refetched when the person
 * returns to the tab.
 */
export type LiveState = 'connecting' | 'live' | 'lost';

interface ChannelOptions {
  /** The live token the page was rendered with; empty if unknown. */
  token: string;
  /** The user the page was rendered for. */
  userId: string;
  onChange: (names: readonly LiveName[]) => void;
  onState: (state: LiveState) => void;
  /**
   * Called when the session belongs to another user: the page must not show this data under their
   * name.
   */
  onOtherUser: () => void;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** A literal list: importing the schema's list would add zod to every page. */
const ALL_NAMES: readonly LiveName[] = ['balance', 'calls', 'jobs'];
/** After this many failures in a row the state is `lost`; reconnecting continues. */
const LOST_AFTER = 3;

/**
 * The tab's event stream from the gateway, open while the tab is visible. On each connect, the
 * gateway reports what has changed since the last token.
 * @returns a function that closes the channel
 */
export function openChannel({ token, userId, onChange, onState, onOtherUser }: ChannelOptions): () => void {
  let known = token;
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let state: LiveState = 'connecting';
  /** The session has ended: do not reconnect. */
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
      if (reason === 'other-person') onOtherUser();
    });
    line.addEventListener('error', () => {
      if (source !== line) return;
      close();
      failures++;
      if (failures >= LOST_AFTER) become('lost');
      retry = setTimeout(connect, retryDelay(failures));
    });
  }

  function resume() {
    if (document.visibilityState === 'hidden') {
      close();
      return;
    }
    // The person may be another user now, or must sign in again.
    if (over) {
      onOtherUser();
      return;
    }
    if (state === 'lost') onChange(ALL_NAMES);
    if (!source) {
      failures = 0;
      connect();
    }
  }

  const unwatch = watchPage(resume, close);
  connect();
  return () => {
    close();
    unwatch();
  };
}

/**
 * Calls `resume` when the page may be visible or online again, and `leave` when the person leaves.
 * @returns a function that removes the listeners
 */
function watchPage(resume: () => void, leave: () => void): () => void {
  document.addEventListener('visibilitychange', resume);
  window.addEventListener('focus', resume);
  window.addEventListener('online', resume);
  window.addEventListener('pageshow', resume);
  window.addEventListener('pagehide', leave);
  return () => {
    document.removeEventListener('visibilitychange', resume);
    window.removeEventListener('focus', resume);
    window.removeEventListener('online', resume);
    window.removeEventListener('pageshow', resume);
    window.removeEventListener('pagehide', leave);
  };
}

/** Exponential backoff with jitter, so that a restarted gateway is not flooded. */
export function retryDelay(failures: number): number {
  const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
  return longest * (0.5 + Math.random() / 2);
}
