import { describe, expect, it } from 'vitest';
import { tools } from '../../tools/registry';
import { createSearchIndex } from './search-index';
import { type GoldRequest, measureSearch, readGoldSet } from './search-quality';

const gold = readGoldSet();
const index = createSearchIndex(tools);
const MIN_REQUESTS_PER_TOOL = 3;
const MAX_TERM_WORDS = 4;

describe('the gold set', () => {
  it('has requests for every tool, and only for existing names', () => {
    expect(gold.length).toBeGreaterThanOrEqual(80);
    expect(new Set(gold.map(({ query }) => query)).size).toBe(gold.length);
    const skills = tools.flatMap((tool) => tool.skills.map((skill) => `${tool.name}.${skill.name}`));
    expect(skills).toEqual(expect.arrayContaining(gold.map(({ tool, skill }) => `${tool}.${skill}`)));
    for (const { name } of tools)
      expect(gold.filter(({ tool }) => tool === name).length, name).toBeGreaterThanOrEqual(
        MIN_REQUESTS_PER_TOOL,
      );
  });

  it('is not copied into descriptions', () => {
    // Shorter ones are standard terms, such as "speech to text".
    const sentences = gold.filter(({ query }) => query.split(' ').length > MAX_TERM_WORDS);
    const said = tools
      .flatMap((tool) => [tool.description, ...tool.skills.map(({ description }) => description)])
      .map((text) => text.toLowerCase());
    for (const { query } of sentences)
      expect(
        said.filter((text) => text.includes(query.toLowerCase())),
        query,
      ).toEqual([]);
  });
});

describe('search', () => {
  const parts: [string, GoldRequest[], number][] = [
    ['all requests', gold, 0.95],
    ['those held out while it was tuned', gold.filter(({ heldOut }) => heldOut), 0.9],
  ];
  it.each(parts)('finds the expected tools: %s', (_, requests, minRecallAt3) => {
    const quality = measureSearch(index, requests);
    const failures = quality.missed.join('\n');
    expect(quality.recallAt3, failures).toBeGreaterThanOrEqual(minRecallAt3);
    expect(quality.recallAt1, failures).toBeGreaterThanOrEqual(0.8);
    expect(quality.skillAt1).toBeGreaterThanOrEqual(0.75);
  });

  it('fails the measure with a bad ranking', () => {
    const alphabetical = { search: () => tools.map((tool) => ({ tool: tool.name, skill: 'none' })) };
    expect(measureSearch(alphabetical, gold)).toMatchObject({ skillAt1: 0 });
    expect(measureSearch(alphabetical, gold).recallAt1).toBeLessThan(0.2);
  });
});
