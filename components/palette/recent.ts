/** A place visited from the palette. */
export interface RecentPlace {
  href: string;
  label: string;
  kind: 'page' | 'key' | 'tool' | 'account';
}

const MAX_RECENT = 5;
const KINDS: readonly string[] = ['page', 'key', 'tool', 'account'];
/** In sessionStorage, so that the next user of the browser sees no names of keys and teams. */
const STORAGE_KEY = 'recent-places';

/** Newest first. */
export function recentPlaces(): RecentPlace[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPlace).slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** Moves the place to the front of the list. */
export function addRecentPlace({ href, label, kind }: RecentPlace): void {
  const others = recentPlaces().filter((place) => place.href !== href);
  try {
    sessionStorage.setItem(
      STORAGE_KEY,
      JSON.stringify([{ href, label, kind }, ...others].slice(0, MAX_RECENT)),
    );
  } catch {
    // Storage is unavailable.
  }
}

/** Stored data is untrusted: accept only paths of this app. */
function isPlace(value: unknown): value is RecentPlace {
  if (typeof value !== 'object' || value === null) return false;
  const { href, label, kind } = value as Record<string, unknown>;
  return (
    typeof href === 'string' &&
    /^\/(dashboard|tools)(?![^/?])/.test(href) &&
    typeof label === 'string' &&
    typeof kind === 'string' &&
    KINDS.includes(kind)
  );
}
