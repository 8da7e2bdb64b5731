import type { ToolDefinition } from '../tools/define-tool';
import { createSearchIndex } from './search-index';

/** The tools of a gateway, to browse and to search. Knows definitions only; `describeTool` makes them wire shapes. */
export interface Catalog {
  /** By display name; only those of a category where one is named, and none for a category that does not exist. */
  list(query: { category?: string; limit: number }): ToolDefinition[];
  /** Best first, for a request in natural language; empty where nothing fits. */
  search(query: { q: string; limit: number }): ToolDefinition[];
}

/** A catalogue whose tools change while the process runs. */
export interface ChangingCatalog extends Catalog {
  /** All tools from now on. */
  replace(tools: readonly ToolDefinition[]): void;
}

/** Starts with these tools. */
export function createChangingCatalog(tools: readonly ToolDefinition[]): ChangingCatalog {
  let current = createCatalog(tools);
  return {
    list: (query) => current.list(query),
    search: (query) => current.search(query),
    replace(next) {
      current = createCatalog(next);
    },
  };
}

/** Builds the index at once: a few milliseconds for a hundred tools. Tools are those of the registry. */
export function createCatalog(tools: readonly ToolDefinition[]): Catalog {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const inOrder = [...tools].sort(byDisplayName);
  const index = createSearchIndex(inOrder);
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

/** The locale is fixed: the order must not depend on the machine. */
const collator = new Intl.Collator('en');

function byDisplayName(a: ToolDefinition, b: ToolDefinition): number {
  return collator.compare(a.displayName, b.displayName) || (a.name < b.name ? -1 : 1);
}
