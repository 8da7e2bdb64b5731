import type { Tool } from '@/server/catalog/tools/schema';

/** The orders of the catalogue; the first is that of the list or of the search. */
export const CATALOGUE_ORDERS = ['', 'price', 'rating', 'calls', 'name'] as const;
export type CatalogueOrder = (typeof CATALOGUE_ORDERS)[number];

export function readOrder(text: string | null | undefined): CatalogueOrder {
  return CATALOGUE_ORDERS.find((order) => order === text) ?? '';
}

/** Stable: equal tools keep their order. */
export function inOrder(tools: readonly Tool[], order: CatalogueOrder): Tool[] {
  const by: Record<CatalogueOrder, ((a: Tool, b: Tool) => number) | null> = {
    '': null,
    price: (a, b) => leastPrice(a) - leastPrice(b),
    // At equal averages, the tool with more ratings comes first.
    rating: (a, b) => (b.rating.average ?? 0) - (a.rating.average ?? 0) || b.rating.count - a.rating.count,
    calls: (a, b) => b.stats.calls_30d - a.stats.calls_30d,
    name: (a, b) => a.displayName.localeCompare(b.displayName, 'en'),
  };
  const compare = by[order];
  return compare ? tools.toSorted(compare) : [...tools];
}

function leastPrice({ skills }: Tool): number {
  return Math.min(...skills.map(({ pricing }) => (pricing.free ? 0 : pricing.price_usd)));
}

/** All categories with their number of tools, largest first. */
export function countCategories(tools: readonly Tool[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { categories } of tools)
    for (const name of categories) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}
