import type { Postings } from './search-postings';
import type { Speller } from './search-speller';
import { SYNONYMS } from './search-synonyms';
import { GENERIC_STEMS, type QueryWord, splitWords, toStem } from './search-terms';

const SYNONYM_WEIGHT = 0.75;
/** Weights of words that begin with the last word of the query, and with its only word. */
const PREFIX_WEIGHT = 0.4;
const COMPLETION_WEIGHT = 0.8;
/** Minimum length of a last word to be treated as a prefix. */
const MIN_PREFIX_CHARS = 3;
/** The importance of a generic verb, compared with other words. */
const GENERIC_WEIGHT = 0.5;
/** Importance grows more slowly than rarity: else a rare word decides alone. */
const RARITY_EXPONENT = 0.6;
/** The importance of a query counts fully up to this many unknown words, and then in part. */
const FULL_WORDS = 2;
const FURTHER_SHARE = 0.25;

const synonymsByStem = buildSynonyms();

/** A word of the query: its importance, its stems with weights, and the cap on their rarity. */
export interface Term {
  readonly importance: number;
  readonly cap: number;
  readonly stems: ReadonlyMap<string, number>;
}

/** Expands words by their meanings, corrections and synonyms, and the last one also by prefix. */
export function expandTerms(words: readonly QueryWord[], speller: Speller, postings: Postings): Term[] {
  return words.map((word, at) => {
    const stems = new Map<string, number>();
    const add = (stem: string, weight: number) => stems.set(stem, Math.max(weight, stems.get(stem) ?? 0));
    const readings = listReadings(word, speller);
    for (const { stem, weight } of readings) {
      add(stem, weight);
      for (const synonym of synonymsByStem.get(stem) ?? []) add(synonym, weight * SYNONYM_WEIGHT);
    }
    if (at === words.length - 1 && word.word.length >= MIN_PREFIX_CHARS) {
      const weight = words.length > 1 ? PREFIX_WEIGHT : COMPLETION_WEIGHT;
      for (const stem of postings.findByPrefix(word.word)) add(stem, weight);
    }
    // If tools use the word itself, a rarer synonym must not count more than it.
    const own = maxRarity(
      postings,
      readings.map(({ stem }) => stem),
    );
    const cap = own || maxRarity(postings, [...stems.keys()]) || postings.maxRarity;
    const generic = readings.length > 0 && readings.every(({ stem }) => GENERIC_STEMS.has(stem));
    const importance = word.weight * (generic ? GENERIC_WEIGHT : 1) * cap ** RARITY_EXPONENT;
    return { importance, cap, stems };
  });
}

function listReadings({ word, meanings }: QueryWord, speller: Speller) {
  if (meanings.length === 0) return speller.findReadings(word);
  const words = speller.isKnown(word) ? [word, ...meanings] : meanings;
  return [...new Set(words.map(toStem))].map((stem) => ({ stem, weight: 1 }));
}

function maxRarity(postings: Postings, stems: readonly string[]): number {
  return stems.reduce((most, stem) => Math.max(most, postings.getRarity(stem)), 0);
}

/** Scores by document; arrays, because a common word matches thousands. */
export interface Scores {
  readonly found: readonly number[];
  readonly score: Float64Array;
}

/**
 * Scores the documents from 0 to 1: the share of the query that matches, each word by its
 * importance and by its best matching stem.
 */
export function scoreDocuments(terms: readonly Term[], postings: Postings, documents: number): Scores {
  const found: number[] = [];
  const score = new Float64Array(documents);
  const best = new Float64Array(documents);
  const total = sumImportance(terms, postings);
  for (const { importance, cap, stems } of terms) {
    const matching: number[] = [];
    for (const [stem, weight] of stems) {
      const value = (weight * Math.min(postings.getRarity(stem), cap)) / cap;
      for (const { document, strength } of postings.find(stem)) {
        if (best[document] === 0) matching.push(document);
        best[document] = Math.max(value * strength, best[document] as number);
      }
    }
    for (const document of matching) {
      if (score[document] === 0) found.push(document);
      (score[document] as number) += ((best[document] as number) * importance) / total;
      best[document] = 0;
    }
  }
  return { found, score };
}

/** A long request mentions much that no tool's text does, so its further words count less. */
function sumImportance(terms: readonly Term[], postings: Postings): number {
  const sum = terms.reduce((total, { importance }) => total + importance, 0);
  const full = FULL_WORDS * postings.maxRarity ** RARITY_EXPONENT;
  return sum > full ? full + FURTHER_SHARE * (sum - full) : sum;
}

function buildSynonyms(): Map<string, Set<string>> {
  const byStem = new Map<string, Set<string>>();
  for (const group of SYNONYMS) {
    const stems = new Set(group.flatMap(splitWords).map(toStem));
    for (const stem of stems) {
      const others = byStem.get(stem) ?? new Set();
      for (const other of stems) if (other !== stem) others.add(other);
      byStem.set(stem, others);
    }
  }
  return byStem;
}
