/**
 * Restricts the redirect after a sign-in to paths of this gateway (threats B17).
 * @param target a path or an absolute URL from the client
 * @returns an absolute URL on this origin; the front page if the target is not allowed
 */
export function safeRedirect(target: string, baseUrl: string): string {
  // Browsers read a backslash as a slash and drop tabs and line breaks.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\\\u0000-\u001f]/.test(target) || target.startsWith('//')) return baseUrl;
  try {
    const url = new URL(target, baseUrl);
    const decoded = decodeURIComponent(url.pathname);
    if (url.origin !== new URL(baseUrl).origin || decoded.startsWith('//') || decoded.includes('\\'))
      return baseUrl;
    return url.href;
  } catch {
    return baseUrl;
  }
}
