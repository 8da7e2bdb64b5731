const MAX_NAME_CHARS = 120;
const MAX_EXTENSION_CHARS = 16;
const FALLBACK = 'file';

/**
 * Makes a file name safe for headers, URLs and folders: no path, no control or formatting
 * characters (a right-to-left override shows `gnp.exe` as `exe.png`), no leading dots or tildes.
 * Never empty.
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

/** File name from the last path segment of a URL. */
export function nameFromUrl(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return safeFileName(decodeURIComponent(last));
  } catch {
    return safeFileName(last);
  }
}
