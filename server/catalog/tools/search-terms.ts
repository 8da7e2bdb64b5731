import { stemmer } from 'stemmer';

/** Characters of a word that are indexed; longer strings are not words. */
const MAX_WORD_CHARS = 40;
/** Distinct words of a query that are used: a sentence or two. */
const MAX_QUERY_WORDS = 40;

// Words without meaning for the search: the usual stop words, and those with which people ask for
// tools.
const STOP_WORDS = new Set(
  `a about all am an and any are as at be been but by can could did do does for from give had has have help how i if in into
  is it its just like me my need no not of on one or our out please s should show so some somebody someone something
  t than that the their them then there these they this those to tool use using want was we were what when where which
  who will with would you your find get let lets looking skill api service function able way best`.split(
    /\s+/,
  ),
);

/**
 * Splits a text into words: lower-case, without accents, split at everything but letters and
 * digits, and between letters and digits (EAN13 matches EAN-13).
 */
export function splitWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return (folded.match(/\p{L}+|\p{N}+/gu) ?? []).map((word) => word.slice(0, MAX_WORD_CHARS));
}

// Irregular forms that the stemmer does not reduce.
const IRREGULAR = new Map(
  `said say, spoken speak, spoke speak, taken take, took take, made make, written write, wrote write, sent send, found find,
  drawn draw, drew draw, read read, built build, heard hear, seen see, saw see, shown show, split split, cut cut, ran run,
  broken broken, chosen choose, bought buy, sold sell, paid pay, thought think, spent spend, mice mouse, men man, women woman,
  people person, children child, feet foot, indices index, matrices matrix, vertices vertex, axes axis, movies movie`
    .split(/,\s+/)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** Returns the stem of a word: `converting` and `converts` become `convert`. */
export function toStem(word: string): string {
  return stemmer(IRREGULAR.get(word) ?? word);
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** A separate number says little about the task: `3` is not MP3. */
const NUMBER_WEIGHT = 0.2;

/** Words that a query implies by its form. */
const FORMS: readonly [RegExp, QueryWord][] = [
  [/[\d)]\s*[-+*/^×÷]\s*[\d(]|\d\s*%/, { word: 'calculate', weight: 1 }],
  [/[\w.]@[\w-]+\.\w/, { word: 'email', weight: 0.5 }],
  [/(^|\s)(https?:\/\/|www\.|[\w-]+\.(com|org|net|io|dev|app|example)\b)/i, { word: 'website', weight: 0.5 }],
];

/** A word of a query, and its weight from 0 to 1. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
}

/** Returns a query's distinct words without stop words, or all words if it has no others. */
export function queryWords(query: string): QueryWord[] {
  const words = [...new Set(splitWords(query))];
  const meaningful = words.filter((word) => !isStopWord(word));
  const chosen = (meaningful.length > 0 ? meaningful : words).slice(0, MAX_QUERY_WORDS);
  const weighed = chosen.map((word) => ({ word, weight: isLoneNumber(word, query) ? NUMBER_WEIGHT : 1 }));
  const meant = FORMS.flatMap(([form, word]) =>
    form.test(query) && !words.includes(word.word) ? [word] : [],
  );
  return [...meant, ...weighed];
}

/** True for `80` in "80 pounds", not for the digits of EAN13 or EAN-13. */
function isLoneNumber(word: string, query: string): boolean {
  return /^\d+$/.test(word) && new RegExp(`(^|[^\\p{L}\\p{N}-])${word}([^\\p{L}\\p{N}]|$)`, 'u').test(query);
}
