import { describe, expect, it } from 'vitest';
import { tools } from '../../tools/registry';
import { orderNearEquals } from './order-near-equals';
import { createSearchIndex } from './search-index';
import { measureSearch, type RankedSearch, readGoldSet } from './search-quality';
import { importedNoise } from './testing/imported-noise';

const gold = readGoldSet();
const MIN_REQUESTS_PER_TOOL = 3;
const MAX_TERM_WORDS = 4;
const IMPORTED = 300;

describe('the gold set', () => {
  it('has requests for every tool, in several languages, and some that no tool answers', () => {
    expect(new Set(gold.map(({ query }) => query)).size).toBe(gold.length);
    const skills = tools.flatMap((tool) => tool.skills.map((skill) => `${tool.name}.${skill.name}`));
    expect(skills).toEqual(expect.arrayContaining(gold.flatMap(({ expected }) => expected)));
    for (const { name } of tools)
      expect(
        gold.filter(({ expected }) => expected[0]?.startsWith(`${name}.`)).length,
        name,
      ).toBeGreaterThanOrEqual(MIN_REQUESTS_PER_TOOL);
    for (const heldOut of [true, false]) {
      const half = gold.filter((request) => request.heldOut === heldOut);
      expect(half.length).toBeGreaterThan(150);
      expect(half.filter(({ expected }) => expected.length === 0).length).toBeGreaterThan(20);
      expect(half.filter(({ query }) => /\P{ASCII}/u.test(query)).length).toBeGreaterThan(15);
    }
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

const LACKS_PROGRAM = new Set(['media', 'screenshot']);

/** 0 to 2, as on a fresh install: no provider keys, no ffmpeg, no browser. */
function getFreshPlace(name: string): number {
  if (LACKS_PROGRAM.has(name)) return 2;
  const tool = tools.find((one) => one.name === name);
  return tool?.skills.every(({ requirements = [] }) => requirements.length > 0) ? 1 : 0;
}

describe('search', () => {
  const own = createSearchIndex(tools);
  const withImports = createSearchIndex([...tools, ...importedNoise(IMPORTED)]);
  const states: [string, RankedSearch][] = [
    ['nothing is configured', (q) => orderNearEquals(own.search(q).found, ({ tool }) => getFreshPlace(tool))],
    ['everything is configured', (q) => own.search(q).found],
    ['300 tools are imported', (q) => withImports.search(q).found],
  ];

  it.each(states)('finds the expected tools, and none for what no tool does: %s', (_, search) => {
    for (const heldOut of [false, true]) {
      const quality = measureSearch(
        search,
        gold.filter((request) => request.heldOut === heldOut),
      );
      const failures = `held out: ${heldOut}\n${quality.missed.join('\n')}`;
      expect(quality.recallAt1, failures).toBeGreaterThanOrEqual(0.9);
      expect(quality.recallAt3, failures).toBeGreaterThanOrEqual(0.95);
      expect(quality.skillAt1, failures).toBeGreaterThanOrEqual(0.87);
      expect(quality.falseHits, failures).toBeLessThanOrEqual(0.2);
    }
  });

  it('names near categories only for a request that has more than a generic word of a tool', () => {
    expect(own.search('post a tweet')).toMatchObject({
      found: [],
      nearest: expect.arrayContaining(['text']),
    });
    expect(own.search('password generator')).toMatchObject({
      found: [],
      nearest: expect.arrayContaining(['pdf']),
    });
    for (const query of ['call a taxi', 'take a selfie', 'find a parking spot'])
      expect(own.search(query), query).toEqual({ found: [], nearest: [] });
  });

  it('fails the measure with a bad ranking', () => {
    const alphabetical = () => tools.map((tool) => ({ tool: tool.name, skills: ['none'] }));
    const quality = measureSearch(alphabetical, gold);
    expect(quality).toMatchObject({ skillAt1: 0, falseHits: 1 });
    expect(quality.recallAt1).toBeLessThan(0.2);
  });
});
