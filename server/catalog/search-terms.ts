import { stemmer } from 'stemmer';

/** Characters of a word that are looked at; a longer one is no word. */
const MAX_WORD_CHARS = 40;
/** Different words of a query that are looked at: a sentence or two. */
const MAX_QUERY_WORDS = 40;

// Words that say nothing about a tool; beside the usual ones those with which people ask for tools.
const STOP_WORDS = new Set(
  `a about all am an and any are as at be been but by can could did do does for from give had has have help how i if in into
  is it its just like me my need no not of on one or our out please s should show so some somebody someone something
  t than that the their them then there these they this those to tool use using want was we were what when where which
  who will with would you your find get let lets looking skill api service function able way best`.split(
    /\s+/,
  ),
);

/**
 * The words of a text: lower-case, without accents, cut at everything that is neither letter nor digit, and between
 * letters and digits (EAN13 is EAN-13).
 */
export function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return (folded.match(/\p{L}+|\p{N}+/gu) ?? []).map((word) => word.slice(0, MAX_WORD_CHARS));
}

/** The form under which a word is indexed and looked up: `converting` and `converts` are `convert`. */
export function stemOf(word: string): string {
  return stemmer(word);
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The different words of a query that carry its meaning; all of them where none does. */
export function queryWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const meaningful = words.filter((word) => !isStopWord(word));
  return (meaningful.length > 0 ? meaningful : words).slice(0, MAX_QUERY_WORDS);
}
