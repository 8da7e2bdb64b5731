// Decides which URLs of a site may be read. Runs in a worker process: robots.txt is untrusted.
import robotsParser from 'robots-parser';

/** Our name in robots.txt files. */
export const USER_AGENT = 'ToolGateway';

/** Extensions of files that are not web pages. */
const NO_PAGE =
  /\.(?:7z|avif|avi|bin|bmp|bz2|css|csv|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jpe?g|js|json|m4a|mjs|mov|mp3|mp4|mpe?g|odt|ogg|otf|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|woff2?|xlsx?|xml|zip)$/i;

/**
 * @typedef {object} Rules
 * @property {string} origin pages of other origins are not read
 * @property {string} robots text of robots.txt
 * @property {string[]} include patterns of path and query; all paths if empty
 * @property {string[]} exclude
 */

/** @param {Rules} rules @returns {(url: string) => boolean} */
export function createFilter({ origin, robots, include, exclude }) {
  const parsed = robotsParser(`${origin}/robots.txt`, robots);
  return (text) => {
    const url = new URL(text);
    if (url.origin !== origin || NO_PAGE.test(url.pathname)) return false;
    const path = url.pathname + url.search;
    if (include.length > 0 && !include.some((pattern) => matches(pattern, path))) return false;
    if (exclude.some((pattern) => matches(pattern, path))) return false;
    return parsed.isAllowed(text, USER_AGENT) !== false;
  };
}

/**
 * Whether a text matches a pattern: `*` is any characters, a final `$` the end; otherwise a prefix
 * suffices. Backtracks only to the last star, in at most the product of both lengths.
 * @param {string} pattern
 * @param {string} text
 */
export function matches(pattern, text) {
  const whole = pattern.endsWith('$');
  const wanted = whole ? pattern.slice(0, -1) : `${pattern}*`;
  let at = 0;
  let star = -1;
  let mark = 0;
  for (let i = 0; i < text.length; ) {
    if (wanted[at] === '*') {
      star = at++;
      mark = i;
    } else if (wanted[at] === text[i]) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++mark;
    } else return false;
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}

/** Removes the fragment, so that each page has one URL. @param {string} text */
export function normalized(text) {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}
