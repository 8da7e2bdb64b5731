/** Any origin of ours will do: only what stays on it is kept. */
const BASE = 'https://same.invalid';

/** Control characters and backslashes: browsers drop the first and read the second as slashes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const TRICKS = /[\u0000-\u0020\u007f\\]/;

/**
 * Where to go after signing in, when someone else wrote the address: a path on our own origin, or the fallback.
 * @param given from the query string: a relative path, anything else is refused
 */
export function safePath(given: string | null | undefined, fallback = '/dashboard'): string {
  if (!given?.startsWith('/') || TRICKS.test(given)) return fallback;
  // The same for the path once decoded: a proxy may decode before it redirects.
  const path = decodeFully(given.split(/[?#]/, 1)[0] ?? '');
  if (path === null || path.startsWith('//') || TRICKS.test(path.replaceAll(' ', ''))) return fallback;
  let url: URL;
  try {
    url = new URL(given, BASE);
  } catch {
    return fallback;
  }
  if (url.origin !== BASE || url.pathname.startsWith('//')) return fallback;
  return url.pathname + url.search + url.hash;
}

const MAX_DECODINGS = 4;

/** Decoded until nothing changes or nothing more can be; null where it is no valid encoding or never ends. */
function decodeFully(text: string): string | null {
  let current = text;
  for (let round = 0; round < MAX_DECODINGS; round++) {
    let next: string;
    try {
      next = decodeURIComponent(current);
    } catch {
      return round === 0 ? null : current;
    }
    if (next === current) return current;
    current = next;
  }
  return null;
}
