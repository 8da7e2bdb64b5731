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

// Forms that no rule of a stemmer leads back.
const IRREGULAR = new Map(
  `said say, spoken speak, spoke speak, taken take, took take, made make, written write, wrote write, sent send, found find,
  drawn draw, drew draw, read read, built build, heard hear, seen see, saw see, shown show, split split, cut cut, ran run,
  broken broken, chosen choose, bought buy, sold sell, paid pay, thought think, spent spend, mice mouse, men man, women woman,
  people person, children child, feet foot, indices index, matrices matrix, vertices vertex, axes axis, movies movie`
    .split(/,\s+/)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** The form under which a word is indexed and looked up: `converting` and `converts` are `convert`. */
export function stemOf(word: string): string {
  return stemmer(IRREGULAR.get(word) ?? word);
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** A number that stands alone says little about what is wanted: `3` is not MP3. */
const NUMBER_WEIGHT = 0.2;

/** What a query means by its form, without saying the word. */
const FORMS: readonly [RegExp, QueryWord][] = [
  [/[\d)]\s*[-+*/^×÷]\s*[\d(]|\d\s*%/, { word: 'calculate', weight: 1 }],
  [/[\w.]@[\w-]+\.\w/, { word: 'email', weight: 0.5 }],
  [/(^|\s)(https?:\/\/|www\.|[\w-]+\.(com|org|net|io|dev|app|example)\b)/i, { word: 'website', weight: 0.5 }],
];

/** A word of a query, and how much it tells, from 0 to 1. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
}

/** The different words of a query that carry its meaning; all of them where none does. */
export function queryWords(query: string): QueryWord[] {
  const words = [...new Set(wordsOf(query))];
  const meaningful = words.filter((word) => !isStopWord(word));
  const chosen = (meaningful.length > 0 ? meaningful : words).slice(0, MAX_QUERY_WORDS);
  const weighed = chosen.map((word) => ({ word, weight: isLoneNumber(word, query) ? NUMBER_WEIGHT : 1 }));
  const meant = FORMS.flatMap(([form, word]) =>
    form.test(query) && !words.includes(word.word) ? [word] : [],
  );
  return [...meant, ...weighed];
}

/** `80` in "80 pounds", not in EAN13 or EAN-13. */
function isLoneNumber(word: string, query: string): boolean {
  return /^\d+$/.test(word) && new RegExp(`(^|[^\\p{L}\\p{N}-])${word}([^\\p{L}\\p{N}]|$)`, 'u').test(query);
}
