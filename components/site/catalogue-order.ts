import type { Tool } from '@/server/catalog/tools/schema';

/** How the catalogue can be in order; the first is the one of the list or of the search. */
export const CATALOGUE_ORDERS = ['', 'price', 'rating', 'calls', 'name'] as const;
export type CatalogueOrder = (typeof CATALOGUE_ORDERS)[number];

export function readOrder(text: string | null | undefined): CatalogueOrder {
  return CATALOGUE_ORDERS.find((order) => order === text) ?? '';
}

/** Equal ones stay as they came. */
export function inOrder(tools: readonly Tool[], order: CatalogueOrder): Tool[] {
  const by: Record<CatalogueOrder, ((a: Tool, b: Tool) => number) | null> = {
    '': null,
    price: (a, b) => leastPrice(a) - leastPrice(b),
    // What few have rated is not put before what many have: at the same average the more rated one is first.
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

/** Every category with the number of its tools, the largest first. */
export function countCategories(tools: readonly Tool[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { categories } of tools)
    for (const name of categories) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}
