// Pure functions for the text of a page.

/** Cuts a text, at the end of a line if one is near. @param {string} text @param {number} limit */
export function cut(text, limit) {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf('\n', limit);
  return text.slice(0, end > limit / 2 ? end : limit).replace(/[\uD800-\uDBFF]$/, '');
}

/** Counts words; in Chinese, Japanese and Thai each character counts. @param {string} text */
export function wordsIn(text) {
  let words = 0;
  for (const _ of text.matchAll(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu,
  ))
    words += 1;
  return words;
}
