import type { ToolDefinition } from '../tools/define-tool';

export interface Catalog {
  definitions: readonly ToolDefinition[];
  list(q: { category?: string; limit: number }): ToolDefinition[];
  search(q: { q: string; limit: number }): ToolDefinition[];
}
export function createCatalog(tools: readonly ToolDefinition[]): Catalog {
  return {
    definitions: tools,
    list: ({ category, limit }) =>
      tools.filter((t) => !category || t.categories.includes(category)).slice(0, limit),
    search: ({ q, limit }) => tools.filter((t) => t.description.includes(q)).slice(0, limit),
  };
}
