/**
 * Where a sign-in may lead: a path of our own, nothing else (threats B17).
 * @param target a path or a whole address, from a client
 * @returns the whole address on our origin; our front page where the target leads elsewhere
 */
export function safeRedirect(target: string, baseUrl: string): string {
  // Browsers read a backslash as a slash and drop tabs and line breaks; whoever sends them means no good.
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
