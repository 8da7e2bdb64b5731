import { setImmediate } from 'node:timers/promises';
import type { ToolDefinition } from '../../tools/sdk/define-tool';
import { buildSearchIndex, createSearchIndex, type SearchIndex } from './search-index';

/** The longest time that building an index blocks the event loop. */
const MAX_BLOCK_MS = 5;
const MAX_NEAREST_CATEGORIES = 3;

/**
 * The tools of a gateway, to list and to search. `describeTool` converts them to their public form.
 */
export interface Catalog {
  /** Tools by display name; only those of `category` if given, none for an unknown category. */
  list(query: { category?: string | undefined; limit: number }): ToolDefinition[];
  /** Tools for a request in natural language, best first. */
  search(q: string): FoundTools;
}

/** A matching tool, with its score from 0 to 1 and the names of its matching skills, best first. */
export interface FoundTool {
  readonly tool: ToolDefinition;
  readonly score: number;
  readonly skills: readonly string[];
}

export interface FoundTools {
  readonly found: readonly FoundTool[];
  /** If nothing is found: the categories of the tools that match a part of the request. */
  readonly nearestCategories: readonly string[];
}

/** A catalogue whose tools change while the process runs. */
export interface ChangingCatalog extends Catalog {
  /** Replaces all tools. Requests use the previous ones until it resolves. */
  replace(tools: readonly ToolDefinition[]): Promise<void>;
}

/** Creates a catalogue that starts with these tools. */
export function createChangingCatalog(tools: readonly ToolDefinition[]): ChangingCatalog {
  let current = createCatalog(tools);
  let latest = tools;
  return {
    list: (query) => current.list(query),
    search: (q) => current.search(q),
    async replace(next) {
      if (next.length === latest.length && next.every((tool, at) => tool === latest[at])) return;
      const inOrder = sorted(next);
      current = buildCatalog(inOrder, await runInSteps(buildSearchIndex(inOrder)));
      latest = next;
    },
  };
}

/** Indexes never change. The tests of a process start hundreds of gateways with the same tools. */
const indexes = new WeakMap<readonly ToolDefinition[], SearchIndex>();

/** Builds the index synchronously, which takes milliseconds for a hundred tools. */
export function createCatalog(tools: readonly ToolDefinition[]): Catalog {
  const inOrder = sorted(tools);
  const index = indexes.get(tools) ?? createSearchIndex(inOrder);
  indexes.set(tools, index);
  return buildCatalog(inOrder, index);
}

function buildCatalog(inOrder: readonly ToolDefinition[], index: SearchIndex): Catalog {
  const byName = new Map(inOrder.map((tool) => [tool.name, tool]));
  return {
    list: ({ category, limit }) =>
      inOrder.filter((tool) => category === undefined || tool.categories.includes(category)).slice(0, limit),
    search(q) {
      const { found, nearest } = index.search(q);
      const categories = nearest.flatMap((name) => byName.get(name)?.categories ?? []);
      return {
        found: found.flatMap(({ tool: name, score, skills }) => {
          const tool = byName.get(name);
          return tool ? [{ tool, score, skills }] : [];
        }),
        nearestCategories: [...new Set(categories)].slice(0, MAX_NEAREST_CATEGORIES),
      };
    },
  };
}

/** Yields to the event loop every few milliseconds. */
async function runInSteps<T>(steps: Generator<void, T>): Promise<T> {
  let started = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - started < MAX_BLOCK_MS) continue;
    await setImmediate();
    started = performance.now();
  }
}

function sorted(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return tools.toSorted(byDisplayName);
}

/** The locale is fixed, so that the order does not depend on the machine. */
const collator = new Intl.Collator('en');

function byDisplayName(a: ToolDefinition, b: ToolDefinition): number {
  return collator.compare(a.displayName, b.displayName) || (a.name < b.name ? -1 : 1);
}
