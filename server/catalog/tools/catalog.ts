import { setImmediate } from 'node:timers/promises';
import type { ToolDefinition } from '../../tools/sdk/define-tool';
import { buildSearchIndex, createSearchIndex, type SearchIndex } from './search-index';

/** How long other work waits for a part of the index. */
const TURN_MS = 5;

/** The tools of a gateway, to browse and to search. Knows definitions only; `describeTool` makes them wire shapes. */
export interface Catalog {
  /** By display name; only those of a category where one is named, and none for a category that does not exist. */
  list(query: { category?: string; limit: number }): ToolDefinition[];
  /** Best first, for a request in natural language; empty where nothing fits. */
  search(query: { q: string; limit: number }): ToolDefinition[];
}

/** A catalogue whose tools change while the process runs. */
export interface ChangingCatalog extends Catalog {
  /** All tools from then on; resolves when they are. Requests are served meanwhile, from those there were. */
  replace(tools: readonly ToolDefinition[]): Promise<void>;
}

/** Starts with these tools. */
export function createChangingCatalog(tools: readonly ToolDefinition[]): ChangingCatalog {
  let current = createCatalog(tools);
  return {
    list: (query) => current.list(query),
    search: (query) => current.search(query),
    async replace(next) {
      const inOrder = sorted(next);
      current = catalogOf(inOrder, await inTurns(buildSearchIndex(inOrder)));
    },
  };
}

/** Builds the index at once: a few milliseconds for a hundred tools. Tools are those of the registry. */
export function createCatalog(tools: readonly ToolDefinition[]): Catalog {
  const inOrder = sorted(tools);
  return catalogOf(inOrder, createSearchIndex(inOrder));
}

function catalogOf(inOrder: readonly ToolDefinition[], index: SearchIndex): Catalog {
  const byName = new Map(inOrder.map((tool) => [tool.name, tool]));
  return {
    list: ({ category, limit }) =>
      inOrder.filter((tool) => category === undefined || tool.categories.includes(category)).slice(0, limit),
    search: ({ q, limit }) =>
      index
        .search(q)
        .slice(0, limit)
        .flatMap(({ tool }) => byName.get(tool) ?? []),
  };
}

/** Lets requests in between, every few milliseconds. */
async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
}

function sorted(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return tools.toSorted(byDisplayName);
}

/** The locale is fixed: the order must not depend on the machine. */
const collator = new Intl.Collator('en');

function byDisplayName(a: ToolDefinition, b: ToolDefinition): number {
  return collator.compare(a.displayName, b.displayName) || (a.name < b.name ? -1 : 1);
}
