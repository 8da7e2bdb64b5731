import type { AnySkill, ToolDefinition } from '../../tools/sdk/define-tool';
import { type Field, Postings } from './search-postings';
import { type Place, rankTools, type SearchResult } from './search-rank';
import { expandTerms, scoreDocuments } from './search-score';
import { buildSpeller } from './search-speller';
import { queryWords, splitWords, toStem } from './search-terms';

/**
 * Descriptions mention what a tool does not do: that a PDF opens with a password. Where a skill has
 * keywords, those say what it does.
 */
const DESCRIPTIONS = { withKeywords: { tool: 0.5, skill: 1 }, alone: { tool: 1, skill: 2 } } as const;

export interface SearchIndex {
  /** Searches tools for a query. Never throws, whatever the query is. */
  search(query: string): SearchResult;
}

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
  const names = tools.map(({ name }) => normalizeName(name));
  const places = skills.map(({ tool, skill, group }): Place => {
    return { tool: tool.name, skill: skill.name, group, named: names[group] as string };
  });
  return {
    search(query) {
      const terms = expandTerms(queryWords(query, speller.isKnown), speller, postings);
      return rankTools(places, scoreDocuments(terms, postings, places.length), normalizeName(query));
    },
  };
}

/**
 * Builds the document of a skill: its own texts and those of its tool, because a request is for one
 * skill. The usual lengths are fixed, so that scores do not depend on the other tools.
 * @param stems cache of the stems of known words; extended here
 */
function buildDocument(tool: ToolDefinition, skill: AnySkill, stems: Map<string, string>): Field[] {
  const field = (boost: number, usualLength: number, text: string): Field => ({
    boost,
    usualLength,
    stems: splitWords(text).map((word) => {
      const stem = stems.get(word) ?? toStem(word);
      stems.set(word, stem);
      return stem;
    }),
  });
  const mentioned = DESCRIPTIONS[skill.keywords ? 'withKeywords' : 'alone'];
  return [
    field(5, 1, tool.name),
    field(3, 2, tool.displayName),
    field(2, 6, tool.subtitle),
    field(1.5, 2, tool.categories.join(' ')),
    field(mentioned.tool, 30, tool.description),
    field(3, 2, skill.name),
    field(3, 3, skill.displayName),
    field(mentioned.skill, 40, skill.description),
    field(3, 25, skill.keywords ?? ''),
    field(1.5, 15, skill.examples.map(({ description }) => description).join(' ')),
    field(0.5, 12, skill.returns),
  ];
}

function normalizeName(text: string): string {
  return splitWords(text).join(' ');
}
