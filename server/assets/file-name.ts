const MAX_NAME_CHARS = 120;
const MAX_EXTENSION_CHARS = 16;
const FALLBACK = 'file';

/**
 * A name that is safe in a header, an address and a folder: no path, no control or formatting sign (right-to-left
 * overrides make `exe.png` of `gnp.exe`), nothing before its first letter that hides it. Never empty.
 */
export function safeFileName(given: string | undefined): string {
  const name = (given ?? '')
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(/["<>:|?*;%]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.~]+|[\s.]+$/g, '');
  if (name === '') return FALLBACK;
  const signs = [...name];
  if (signs.length <= MAX_NAME_CHARS) return name;
  const extension = /\.[A-Za-z0-9]+$/.exec(name)?.[0] ?? '';
  const kept = extension.length <= MAX_EXTENSION_CHARS ? extension : '';
  return signs.slice(0, MAX_NAME_CHARS - kept.length).join('') + kept;
}

/** The last part of an address, as a name. */
export function nameFromUrl(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return safeFileName(decodeURIComponent(last));
  } catch {
    return safeFileName(last);
  }
}
