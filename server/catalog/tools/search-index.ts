import type { AnySkill, ToolDefinition } from '../../tools/sdk/define-tool';
import { type Field, Postings } from './search-postings';
import { buildSpeller, type Speller } from './search-speller';
import { SYNONYMS } from './search-synonyms';
import { type QueryWord, queryWords, splitWords, toStem } from './search-terms';

/** Weights of synonyms, and of words that begin with the last word of the query. */
const SYNONYM_WEIGHT = 0.75;
const PREFIX_WEIGHT = 0.4;
/** Minimum length of a last word to be treated as a prefix. */
const MIN_PREFIX_CHARS = 3;
/** Share of the score that depends on how much of the query matched. */
const COVERAGE_SHARE = 0.5;
/** Share of its other skills' scores in a tool's score. */
const OTHER_SKILLS_SHARE = 0.1;

/** A matching tool, and its best matching skill. */
export interface Found {
  readonly tool: string;
  readonly skill: string;
}

export interface SearchIndex {
  /**
   * Returns the matching tools, best first, equal ones by name; empty if none matches. Never
   * throws, whatever the query is.
   */
  search(query: string): Found[];
}

const synonymsByStem = buildSynonyms();

/** Builds the index synchronously, in 0.1 ms per skill. `buildSearchIndex` builds it in steps. */
export function createSearchIndex(tools: readonly ToolDefinition[]): SearchIndex {
  const steps = buildSearchIndex(tools);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Builds the index in steps of far less than a millisecond. */
export function* buildSearchIndex(tools: readonly ToolDefinition[]): Generator<void, SearchIndex> {
  const stems = new Map<string, string>();
  const skills = tools.flatMap((tool, group) => tool.skills.map((skill) => ({ tool, skill, group })));
  const documents: Field[][] = [];
  for (const { tool, skill } of skills) {
    documents.push(buildDocument(tool, skill, stems));
    yield;
  }
  const postings = yield* Postings.build(
    documents,
    skills.map(({ group }) => group),
  );
  const speller = yield* buildSpeller(stems);
  const places = skills.map(({ tool, skill, group }): Place => {
    return { tool: tool.name, skill: skill.name, group, named: normalizeName(tool.name) };
  });
  return {
    search(query) {
      const scores = scoreDocuments(
        expandTerms(queryWords(query), speller, postings),
        postings,
        places.length,
      );
      return rankTools(places, scores, normalizeName(query));
    },
  };
}

/**
 * Builds the document of a skill: its own texts and those of its tool, because a request is for one
 * skill.
 * @param stems cache of the stems of known words; extended here
 */
function buildDocument(tool: ToolDefinition, skill: AnySkill, stems: Map<string, string>): Field[] {
  const field = (boost: number, text: string): Field => ({
    boost,
    stems: splitWords(text).map((word) => {
      const stem = stems.get(word) ?? toStem(word);
      stems.set(word, stem);
      return stem;
    }),
  });
  return [
    field(5, tool.name),
    field(3, tool.displayName),
    field(2, tool.subtitle),
    field(1.5, tool.categories.join(' ')),
    field(1, tool.description),
    field(3, skill.name),
    field(3, skill.displayName),
    field(2, skill.description),
    field(1.5, skill.examples.map(({ description }) => description).join(' ')),
    field(0.5, skill.returns),
  ];
}

/** For each word of the query: its stems with weights, and `most`, the cap on a stem's rarity. */
type Terms = { rarity: number; most: number; stems: Map<string, number> }[];

/** Expands each word by spelling corrections and synonyms, and the last word by prefix matches. */
function expandTerms(words: readonly QueryWord[], speller: Speller, postings: Postings): Terms {
  return words.map(({ word, weight: importance }, at) => {
    const stems = new Map<string, number>();
    const add = (stem: string, weight: number) =>
      stems.set(stem, Math.max(importance * weight, stems.get(stem) ?? 0));
    const readings = speller.findReadings(word);
    for (const { stem, weight } of readings) {
      add(stem, weight);
      for (const synonym of synonymsByStem.get(stem) ?? []) add(synonym, weight * SYNONYM_WEIGHT);
    }
    if (at === words.length - 1 && word.length >= MIN_PREFIX_CHARS)
      for (const stem of postings.findByPrefix(word)) add(stem, PREFIX_WEIGHT);
    // If tools use the word itself, a rarer synonym must not count more than it.
    const own = Math.max(0, ...readings.map(({ stem }) => postings.getRarity(stem)));
    const most = own > 0 ? own : Number.POSITIVE_INFINITY;
    const rarity = Math.max(
      0,
      ...[...stems].map(([stem, weight]) => weight * Math.min(postings.getRarity(stem), most)),
    );
    return { rarity, most, stems };
  });
}

/** Scores by document; arrays, because a common word matches thousands. */
interface Scores {
  found: number[];
  score: Float64Array;
}

/** Scores the documents. Each word counts once, by its best matching stem. */
function scoreDocuments(terms: Terms, postings: Postings, documents: number): Scores {
  const found: number[] = [];
  const score = new Float64Array(documents);
  const covered = new Float64Array(documents);
  const best = new Float64Array(documents);
  const bestWeight = new Float64Array(documents);
  let total = 0;
  for (const { rarity, most, stems } of terms) {
    total += rarity;
    const fitting: number[] = [];
    for (const [stem, weight] of stems) {
      const value = weight * Math.min(postings.getRarity(stem), most);
      for (const { document, strength } of postings.find(stem)) {
        if (bestWeight[document] === 0) fitting.push(document);
        best[document] = Math.max(value * strength, best[document] as number);
        bestWeight[document] = Math.max(weight, bestWeight[document] as number);
      }
    }
    for (const document of fitting) {
      if (covered[document] === 0) found.push(document);
      (score[document] as number) += best[document] as number;
      (covered[document] as number) += (bestWeight[document] as number) * rarity;
      best[document] = 0;
      bestWeight[document] = 0;
    }
  }
  for (const document of found) {
    const share = (covered[document] as number) / total;
    score[document] = (score[document] as number) * (1 - COVERAGE_SHARE + COVERAGE_SHARE * share);
  }
  return { found, score };
}

/** The skill of a document, and its tool. */
interface Place extends Found {
  /** The index of its tool. */
  group: number;
  /** The normalized words of the tool's name, for comparison with a query. */
  named: string;
}

interface Ranked {
  place: Place;
  score: number;
  others: number;
}

/** @param asked the normalized query: a tool with exactly this name ranks first */
function rankTools(places: readonly Place[], { found, score }: Scores, asked: string): Found[] {
  const byTool = new Map<number, Ranked>();
  for (const document of found) {
    const place = places[document] as Place;
    const own = score[document] as number;
    const best = byTool.get(place.group);
    if (!best) byTool.set(place.group, { place, score: own, others: 0 });
    else if (own > best.score) {
      best.others += best.score;
      best.place = place;
      best.score = own;
    } else best.others += own;
  }
  const ranked = [...byTool.values()];
  for (const best of ranked)
    if (best.place.named === asked) best.score = Number.POSITIVE_INFINITY;
    else best.score += OTHER_SKILLS_SHARE * best.others;
  return ranked
    .sort((a, b) => (b.score === a.score ? (a.place.tool < b.place.tool ? -1 : 1) : b.score - a.score))
    .map(({ place: { tool, skill } }) => ({ tool, skill }));
}

function normalizeName(text: string): string {
  return splitWords(text).join(' ');
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
