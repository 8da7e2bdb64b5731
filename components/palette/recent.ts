/** A place that was gone to by the palette. */
export interface RecentPlace {
  href: string;
  label: string;
  kind: 'page' | 'key' | 'tool' | 'account';
}

const KEPT = 5;
const KINDS: readonly string[] = ['page', 'key', 'tool', 'account'];
/** Of this tab only: whoever uses the browser next sees no names of keys and teams. */
const STORAGE_KEY = 'recent-places';

/** The newest first. */
export function recentPlaces(): RecentPlace[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPlace).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

/** Puts it first. */
export function rememberPlace({ href, label, kind }: RecentPlace): void {
  const others = recentPlaces().filter((place) => place.href !== href);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([{ href, label, kind }, ...others].slice(0, KEPT)));
  } catch {
    // Nothing to keep it in.
  }
}

/** Storage can be written by hand: only our own paths are gone to. */
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
