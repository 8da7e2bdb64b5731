/** A placeholder origin: a path is safe if it stays on the origin it is resolved against. */
const BASE = 'https://same.invalid';

/**
 * Control characters and backslashes: browsers strip the former and treat the latter as slashes.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects them
const TRICKS = /[\u0000-\u0020\u007f\\]/;

/**
 * The path to return to after sign-in, from an untrusted URL: a path on this origin, or the
 * fallback.
 * @param given from the query string: anything but a relative path is rejected
 */
export function safePath(given: string | null | undefined, fallback = '/dashboard'): string {
  if (!given?.startsWith('/') || TRICKS.test(given)) return fallback;
  // Check the decoded path too: a proxy may decode it before it redirects.
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

/** Decodes until nothing changes; null for an invalid encoding or after too many rounds. */
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
