import { stemmer } from 'stemmer';
import { foldText } from './search-fold';
import { FOREIGN_STOP_WORDS, translateWord } from './search-languages';

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
  who will with would you your find get let lets looking skill api service function able way best
  every each other another same several few thing things stuff really very also only still already again now here quite
  more most less whole own per go come give put keep after before while until because both nice good great right new old
  want wants needs needed job task work between`
    .split(/\s+/)
    .concat(FOREIGN_STOP_WORDS),
);

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const WORDS = new RegExp(`[${CJK}]+|(?:(?![${CJK}])\\p{L})+|\\p{N}+`, 'gu');

/**
 * Splits a text into words: lower-case, without accents, split at everything but letters and
 * digits, between letters and digits (EAN13 matches EAN-13), and at Japanese letters.
 */
export function splitWords(text: string): string[] {
  return (foldText(text).match(WORDS) ?? []).map((word) => word.slice(0, MAX_WORD_CHARS));
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

/** Stems of verbs that fit any object, and of people and times: they say less than other words. */
export const GENERIC_STEMS: ReadonlySet<string> = new Set(
  `make create generate build produce do show send open call write order control set start stop manage change turn take
  add remove delete update list save load look check read convert pull put pick play generator creator maker handle
  provide perform process format file day week month year minute second hour today request boss team customer client friend
  colleague family mother father child kid user visitor people beginner manager teacher student country city home office big
  huge tiny long short fast slow result part piece example`
    .split(/\s+/)
    .map(toStem),
);

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** What a text is about says little about what to do with it. */
const TOPIC_WEIGHT = 0.4;
const TOPIC = /\S\s+(?:about|regarding|concerning|sobre|über)\s+(.+)/i;

/** Weight of letters and numbers that say little about the task: `3` is not MP3. */
const MINOR_WEIGHT = 0.2;

/** Words that a query implies by its form. */
const FORMS: readonly [RegExp, Omit<QueryWord, 'meanings'>][] = [
  [
    /[\d)]\s*[-+*/^×÷]\s*[\d(]|\d\s*%|\d\s+(times|plus|minus|divided by)\s+\d/,
    { word: 'calculate', weight: 1 },
  ],
  [/[\w.]@[\w-]+\.\w/, { word: 'email', weight: 0.5 }],
  [/(^|\s)(https?:\/\/|www\.|[\w-]+\.(com|org|net|io|dev|app|example)\b)/i, { word: 'website', weight: 0.5 }],
];

/** A word of a query, its weight from 0 to 1, and the English words it may mean. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
  readonly meanings: readonly string[];
}

/**
 * Returns a query's distinct words without stop words, or all words if it has no others.
 * @param isKnown whether an English word is known, to search or to correct
 */
export function queryWords(query: string, isKnown: (word: string) => boolean): QueryWord[] {
  const words = [...new Set(splitWords(query))];
  const meaningful = words.filter((word) => !isStopWord(word));
  const chosen = (meaningful.length > 0 ? meaningful : words).slice(0, MAX_QUERY_WORDS);
  const topic = new Set(splitWords(TOPIC.exec(query)?.[1] ?? ''));
  const weighed = chosen.flatMap((word) =>
    translateWord(word, isKnown).map((translated) => ({
      ...translated,
      weight: isMinor(word, query, isKnown) ? MINOR_WEIGHT : topic.has(word) ? TOPIC_WEIGHT : 1,
    })),
  );
  const meant = FORMS.flatMap(([form, word]) =>
    form.test(query) && !words.includes(word.word) ? [{ ...word, meanings: [] }] : [],
  );
  return [...meant, ...weighed];
}

/** Whether a word says little: `x`, `80` in "80 pounds", `256` in "sha256"; not `13` in EAN-13. */
function isMinor(word: string, query: string, isKnown: (word: string) => boolean): boolean {
  if (/^[a-z]$/.test(word)) return true;
  if (!/^\d+$/.test(word)) return false;
  const [, letters] = new RegExp(`(\\p{L}+)-?${word}(?!\\p{N})`, 'u').exec(foldText(query)) ?? [];
  return letters === undefined || !isKnown(letters);
}
