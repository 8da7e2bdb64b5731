import { describe, expect, it } from 'vitest';
import { startProviderStubForTests } from '@/test/support/skill-fixtures';
import type { ProviderName } from '../../platform/settings/providers';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const stub = await startProviderStubForTests();

const search = (slot: ProviderName, input: object) =>
  runSkill(tool, 'search', { query: 'rivers', ...input }, { provider: stub.client(slot) });
const narrow = {
  recency: 'week',
  sites: ['example.com', 'example.org'],
  country: 'de',
  language: 'de',
  count: 2,
};

describe('search', () => {
  it.each(['tavily', 'brave', 'exa'] as const)('returns the same format through %s', async (slot) => {
    const { output } = await search(slot, narrow);
    expect(output).toMatchObject({ provider: slot, answer: null });
    expect(output.results).toHaveLength(2);
    const [first] = output.results;
    expect(first).toMatchObject({ title: 'Result 1', url: 'https://example.com/1' });
    expect(first.snippet).toMatch(/^What it says/);
    if (slot !== 'tavily') expect(first.published).toMatch(/^2026-11-20T/);
    expect(first.score).toBe(slot === 'tavily' ? 0.9 : null);
  });

  it('translates the filters for each provider', async () => {
    const before = stub.received.length;
    for (const slot of ['tavily', 'exa'] as const) await search(slot, narrow);
    const [tavily, exa] = stub.received.slice(before).map(({ body }) => JSON.parse(body.toString()));
    expect(tavily).toMatchObject({ time_range: 'week', include_domains: narrow.sites, country: 'germany' });
    expect(exa).toMatchObject({ includeDomains: narrow.sites, userLocation: 'DE', numResults: 2 });
    expect(Date.now() - Date.parse(exa.startPublishedDate)).toBeCloseTo(7 * 86_400_000, -5);
  });

  it("returns text without Brave's markup", async () => {
    const { output } = await search('brave', {});
    expect(output.results[0].snippet).toBe('What it says & means.');
  });

  it("returns Tavily's written answer if requested", async () => {
    expect((await search('tavily', { answer: true })).output.answer).toBe('The short answer.');
  });

  it('costs what the provider counts', async () => {
    const { price, input } = findSkill(tool, 'search');
    const asked = input.parse({ query: 'x', count: 20 });
    expect(price.quote(asked).providerCost).toBe(17_000n);
    for (const [slot, cost] of [
      ['tavily', 8_000n],
      ['brave', 5_000n],
      ['exa', 7_000n],
    ] as const)
      expect(price.settle(asked, (await search(slot, {})).usage).providerCost).toBe(cost);
  });

  it('prefers providers that support the request', () => {
    const { input, getRequirementsFor } = findSkill(tool, 'search');
    const slots = (wish: object) => getRequirementsFor?.(input.parse({ query: 'x', ...wish }));
    expect(slots({})).toEqual(['tavily', 'brave', 'exa']);
    expect(slots({ answer: true })).toEqual(['tavily']);
    expect(slots({ language: 'de' })).toEqual(['brave', 'tavily', 'exa']);
    expect(slots({ provider: 'exa', language: 'de' })).toEqual(['exa']);
  });

  it('refuses a query that Brave would reject, with a hint', async () => {
    const sites = Array.from({ length: 10 }, (_, at) => `a-rather-long-name-${at}.example.com`);
    await expect(search('brave', { query: 'word '.repeat(45), sites })).rejects.toThrow(/name fewer sites/);
    const { error } = findSkill(tool, 'search').input.safeParse({
      query: 'x',
      sites: ['https://example.com/'],
    });
    expect(error?.issues[0]?.message).toBe('Use a domain, such as example.com.');
  });
});
