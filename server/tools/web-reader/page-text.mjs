// Pure rules about the text of a page.

/** At the end of a line where there is one near. @param {string} text @param {number} limit */
export function cut(text, limit) {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf('\n', limit);
  return text.slice(0, end > limit / 2 ? end : limit).replace(/[\uD800-\uDBFF]$/, '');
}

/** Words of languages with spaces; of Chinese, Japanese and Thai each sign counts. @param {string} text */
export function wordsIn(text) {
  let words = 0;
  for (const _ of text.matchAll(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu,
  ))
    words += 1;
  return words;
}
