import { describe, expect, it } from 'vitest';
import { tools } from '../../tools/registry';
import { createCatalog } from './catalog';

const catalog = createCatalog(tools);

describe('catalog', () => {
  it('lists by display name, whatever the order of the registry', () => {
    const reversed = createCatalog([...tools].reverse());
    const expected = tools.map(({ displayName }) => displayName).sort((a, b) => a.localeCompare(b, 'en'));
    for (const { list } of [catalog, reversed])
      expect(list({ limit: 100 }).map(({ displayName }) => displayName)).toEqual(expected);
  });

  it('returns exactly the tools of a category, and none for an unknown one', () => {
    for (const category of new Set(tools.flatMap((tool) => tool.categories))) {
      const expected = tools.filter((tool) => tool.categories.includes(category));
      expect(new Set(catalog.list({ category, limit: 500 }))).toEqual(new Set(expected));
    }
    expect(catalog.list({ category: 'no-such-category', limit: 500 })).toEqual([]);
    expect(catalog.list({ category: '__proto__', limit: 500 })).toEqual([]);
  });

  it('respects the limit', () => {
    expect(catalog.list({ limit: 1 })).toHaveLength(1);
  });

  it('names the nearest categories only if no tool matches', () => {
    expect(catalog.search('merge pdf files').nearestCategories).toEqual([]);
    const nothing = catalog.search('sign and notarise a pdf before the county registrar and a solicitor');
    expect(nothing).toEqual({ found: [], nearestCategories: expect.arrayContaining(['documents']) });
    expect(catalog.search('zzqxjwvk')).toEqual({ found: [], nearestCategories: [] });
  });
});
