import MiniSearch from 'minisearch';
import { SYNONYMS } from './search-synonyms';
import { stemOf, wordsOf } from './search-terms';

/** Weight of a typo that was mended. */
const TYPO_WEIGHT = 0.7;
const MAX_CORRECTIONS = 3;

/** A stem that a word of a query may stand for. */
export interface Reading {
  readonly stem: string;
  readonly weight: number;
}

export interface Speller {
  /** The stems a word may stand for: itself where it is known, else what it was probably meant to be. */
  readingsOf(word: string): Reading[];
}

/**
 * Knows these words and those of the synonyms; built in steps, a word each.
 * @param words with the stem of each
 */
export function* buildSpeller(words: Iterable<readonly [string, string]>): Generator<void, Speller> {
  const stems = new Map(words);
  for (const word of SYNONYMS.flat().flatMap(wordsOf)) stems.set(word, stemOf(word));
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
    readingsOf(word) {
      const stem = stemOf(word);
      if (known.has(stem)) return [{ stem, weight: 1 }];
      const swapped = neighbourSwapsOf(word).filter((candidate) => stems.has(candidate));
      const similar =
        swapped.length > 0
          ? swapped
          : vocabulary.search(word, { fuzzy: editsAllowed }).map(({ id }) => String(id));
      const corrections = new Set(similar.map((candidate) => stems.get(candidate) ?? stemOf(candidate)));
      return [...corrections]
        .slice(0, MAX_CORRECTIONS)
        .map((candidate) => ({ stem: candidate, weight: TYPO_WEIGHT }));
    },
  };
}

/** Short words are other words after one edit, and long strings are not words: only in between typos are mended. */
function editsAllowed(word: string): number {
  if (word.length < 5 || word.length > 24) return 0;
  return word.length < 8 ? 1 : 2;
}

/** `wrods` → `words`, …: the typo that an edit distance without transpositions counts as two. */
function neighbourSwapsOf(word: string): string[] {
  const letters = [...word];
  return letters.slice(1).map((letter, at) => {
    const swapped = [...letters];
    swapped[at] = letter;
    swapped[at + 1] = letters[at] ?? '';
    return swapped.join('');
  });
}
