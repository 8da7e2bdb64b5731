import { describe, expect, it } from 'vitest';
import type { Tool } from '@/server/catalog/tools/schema';
import { buildProviderFacts, formatByokShare } from './provider-facts';

const skill = (requirements: string[], price: number) => ({
  requirements,
  pricing: { price_usd: price, unit: 'call', byok_rate: 0.05 },
});
const tool = (name: string, skills: object[]) => ({ name, displayName: name, skills }) as unknown as Tool;

describe('what a provider key is used for', () => {
  it('lists each tool once with its number of skills and the cheapest price with and without BYOK', () => {
    const facts = buildProviderFacts([
      tool('search', [skill(['exa', 'brave'], 0.001101), skill(['exa'], 0.02)]),
      tool('chat', [skill(['openai'], 0)]),
      tool('text', [skill([], 1)]),
    ]);
    expect(facts).toEqual({
      exa: {
        tools: [{ name: 'search', displayName: 'search', skills: 2 }],
        cheapest: { unit: 'call', usd: 0.001101, ownUsd: 0.000056 },
      },
      brave: {
        tools: [{ name: 'search', displayName: 'search', skills: 1 }],
        cheapest: { unit: 'call', usd: 0.001101, ownUsd: 0.000056 },
      },
      openai: { tools: [{ name: 'chat', displayName: 'chat', skills: 1 }], cheapest: null },
    });
  });

  it('formats the BYOK share as a percentage', () => {
    expect(formatByokShare([tool('a', [skill([], 1)])])).toBe('5%');
    expect(formatByokShare([])).toBeNull();
  });
});
