import MiniSearch, { type Query } from 'minisearch';
import type { ToolDefinition } from '../tools/define-tool';
import { SYNONYMS } from './search-synonyms';
import { queryWords, stemOf, wordsOf } from './search-terms';

/** Weight of a word that is only similar to one of the query: a typo mended, a synonym, the rest of a begun word. */
const TYPO_WEIGHT = 0.7;
const SYNONYM_WEIGHT = 0.35;
const PREFIX_WEIGHT = 0.4;
const MAX_CORRECTIONS = 3;
/** Letters of a last word that may be the beginning of a longer one. */
const MIN_PREFIX_CHARS = 3;

const FIELD_BOOSTS = {
  name: 4,
  displayName: 4,
  subtitle: 2,
  categories: 2,
  skillNames: 3,
  description: 1,
  skillDescriptions: 1,
  examples: 1,
};

type SearchDocument = { id: string } & Record<keyof typeof FIELD_BOOSTS, string>;

export interface SearchIndex {
  /**
   * Names of the tools that fit, best first; equal ones by name. Empty where nothing fits.
   * Never throws, whatever the query is.
   */
  search(query: string): string[];
}

const synonymsByStem = buildSynonyms();

/** Builds the index; some microseconds a tool. */
export function createSearchIndex(tools: readonly ToolDefinition[]): SearchIndex {
  const index = new MiniSearch<SearchDocument>({
    fields: Object.keys(FIELD_BOOSTS),
    // Words without meaning are in the index too: a query may consist of nothing else.
    tokenize: wordsOf,
    processTerm: stemOf,
    searchOptions: {
      tokenize: (term) => [term],
      processTerm: (term) => term,
      boost: FIELD_BOOSTS,
      combineWith: 'OR',
    },
  });
  const documents = tools.map(documentOf);
  index.addAll(documents);
  const speller = createSpeller(documents);
  return {
    search(query) {
      const words = queryWords(query);
      if (words.length === 0) return [];
      return index
        .search(queryTree(words, speller))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .map(({ id }) => String(id));
    },
  };
}

function documentOf(tool: ToolDefinition): SearchDocument {
  const { skills } = tool;
  return {
    id: tool.name,
    name: tool.name,
    displayName: tool.displayName,
    subtitle: tool.subtitle,
    description: tool.description,
    categories: tool.categories.join(' '),
    skillNames: skills.map((skill) => `${skill.name} ${skill.displayName}`).join(' '),
    skillDescriptions: skills.map((skill) => skill.description).join(' '),
    examples: skills.flatMap((skill) => skill.examples.map(({ description }) => description)).join(' '),
  };
}

/** Each word as it is, or mended; with its synonyms; and the last one as a beginning. */
function queryTree(words: readonly string[], speller: Speller): Query {
  const weights = new Map<string, number>();
  const add = (stem: string, weight: number) => weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  for (const word of words) {
    for (const { stem, weight } of speller.readingsOf(word)) {
      add(stem, weight);
      for (const synonym of synonymsByStem.get(stem) ?? []) add(synonym, weight * SYNONYM_WEIGHT);
    }
  }
  const queries: Query[] = [...weights].map(([stem, weight]) => ({
    queries: [stem],
    boostTerm: () => weight,
  }));
  const last = words.at(-1) ?? '';
  if (last.length >= MIN_PREFIX_CHARS) {
    queries.push({ queries: [last], prefix: true, boostTerm: () => PREFIX_WEIGHT });
  }
  return { combineWith: 'OR', queries };
}

interface Speller {
  /** The stems a word may stand for: itself where it is known, else what it was probably meant to be. */
  readingsOf(word: string): { stem: string; weight: number }[];
}

/** Knows the words of all tools and of the synonyms. */
function createSpeller(documents: readonly SearchDocument[]): Speller {
  const stems = new Map<string, string>();
  for (const { id: _id, ...fields } of documents) {
    for (const word of wordsOf(Object.values(fields).join(' '))) stems.set(word, stemOf(word));
  }
  for (const word of SYNONYMS.flat().flatMap(wordsOf)) stems.set(word, stemOf(word));
  const known = new Set(stems.values());
  const vocabulary = new MiniSearch<{ id: string; word: string }>({
    fields: ['word'],
    tokenize: (word) => [word],
    processTerm: (word) => word,
  });
  vocabulary.addAll(Array.from(stems.keys(), (word) => ({ id: word, word })));
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

function buildSynonyms(): Map<string, Set<string>> {
  const byStem = new Map<string, Set<string>>();
  for (const group of SYNONYMS) {
    const stems = new Set(group.flatMap(wordsOf).map(stemOf));
    for (const stem of stems) {
      const others = byStem.get(stem) ?? new Set();
      for (const other of stems) if (other !== stem) others.add(other);
      byStem.set(stem, others);
    }
  }
  return byStem;
}
