import MiniSearch from 'minisearch';
import { SYNONYMS } from './search-synonyms';
import { splitWords, toStem } from './search-terms';

/** Weight of a corrected typo. */
const TYPO_WEIGHT = 0.7;
const MAX_CORRECTIONS = 3;

/** A possible stem of a word of the query. */
export interface Reading {
  readonly stem: string;
  readonly weight: number;
}

export interface Speller {
  /** Whether a word, or another form of it, is in the catalogue or a synonym. */
  isKnown(word: string): boolean;
  /** Returns a word's own stem if it is known, otherwise those of its likely corrections. */
  findReadings(word: string): Reading[];
}

/**
 * Builds a speller from these words and the synonyms, in steps of one word.
 * @param words pairs of a word and its stem
 */
export function* buildSpeller(words: Iterable<readonly [string, string]>): Generator<void, Speller> {
  const stems = new Map(words);
  for (const word of SYNONYMS.flat().flatMap(splitWords)) stems.set(word, toStem(word));
  const known = new Set(stems.values());
  const vocabulary = new MiniSearch<{ id: string; word: string }>({
    fields: ['word'],
    tokenize: (word) => [word],
    processTerm: (word) => word,
  });
  for (const word of stems.keys()) {
    vocabulary.add({ id: word, word });
    yield;
  }
  return {
    isKnown: (word) => known.has(toStem(word)),
    findReadings(word) {
      const stem = toStem(word);
      if (known.has(stem)) return [{ stem, weight: 1 }];
      const swapped = listLetterSwaps(word).filter((candidate) => stems.has(candidate));
      const similar =
        swapped.length > 0
          ? swapped
          : vocabulary.search(word, { fuzzy: editsAllowed }).map(({ id }) => String(id));
      const corrections = new Set(similar.map((candidate) => stems.get(candidate) ?? toStem(candidate)));
      return [...corrections]
        .slice(0, MAX_CORRECTIONS)
        .map((candidate) => ({ stem: candidate, weight: TYPO_WEIGHT }));
    },
  };
}

/**
 * Corrects medium words only: a short word becomes another word with one edit, and a long string is
 * not a word.
 */
function editsAllowed(word: string): number {
  if (word.length < 5 || word.length > 24) return 0;
  return word.length < 8 ? 1 : 2;
}

/**
 * Returns the words with two neighbouring letters swapped (`wrods` → `words`), which edit distance
 * counts as two edits.
 */
function listLetterSwaps(word: string): string[] {
  const letters = [...word];
  return letters.slice(1).map((letter, at) => {
    const swapped = [...letters];
    swapped[at] = letter;
    swapped[at + 1] = letters[at] ?? '';
    return swapped.join('');
  });
}
