import { describe, expect, it } from 'vitest';
import type { Tool } from '@/server/catalog/tools/schema';
import { countCategories, inOrder, readOrder } from './catalogue-order';

function tool(name: string, price: number, average: number | null, count: number, calls: number): Tool {
  return {
    name,
    displayName: name,
    subtitle: '',
    description: '',
    categories: price > 0 ? ['paid', 'all'] : ['all'],
    version: '1.0.0',
    skills: [
      {
        name: 'run',
        displayName: 'Run',
        description: '',
        pricing: {
          free: price === 0,
          price_usd: price,
          platform_fee_usd: price,
          provider_cost_usd: 0,
          unit: 'call',
          byok_rate: 0.05,
        },
        annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
        requirements: [],
        availability: 'ready',
      },
    ],
    rating: { average, count },
    stats: { success_rate: null, p50_ms: null, calls_30d: calls },
    availability: 'ready',
    available: true,
    unavailable_reason: null,
  };
}

const TOOLS = [tool('c', 0.2, 5, 1, 3), tool('a', 0, null, 0, 9), tool('b', 0.1, 5, 7, 3)];
const names = (tools: Tool[]) => tools.map(({ name }) => name).join('');

describe('the order of the catalogue', () => {
  it('keeps the list’s order by default, and sorts by the chosen one', () => {
    expect(names(inOrder(TOOLS, ''))).toBe('cab');
    expect(names(inOrder(TOOLS, 'price'))).toBe('abc');
    expect(names(inOrder(TOOLS, 'rating'))).toBe('bca');
    expect(names(inOrder(TOOLS, 'calls'))).toBe('acb');
    expect(names(inOrder(TOOLS, 'name'))).toBe('abc');
    expect(names(TOOLS)).toBe('cab');
  });

  it('treats any other value as the default order', () => {
    expect(readOrder('price')).toBe('price');
    for (const text of ['Price', 'constructor', null, undefined]) expect(readOrder(text)).toBe('');
  });

  it('counts the tools of each category, largest first', () => {
    expect(countCategories(TOOLS)).toEqual([
      { name: 'all', count: 3 },
      { name: 'paid', count: 2 },
    ]);
  });
});
