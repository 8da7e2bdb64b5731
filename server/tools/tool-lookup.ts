import type { AnySkill, ToolDefinition } from './sdk/define-tool';

/** Where a call's tool and skill are looked up. */
export interface ToolLookup {
  findTool(name: string): ToolDefinition | undefined;
  findSkill(tool: ToolDefinition, name: string): AnySkill | undefined;
  toolNames(): Iterable<string>;
}

/**
 * A lookup whose tools change while the process runs; a call in flight keeps the definition it has
 * found.
 */
export interface ToolShelf extends ToolLookup {
  /** All tools from now on. */
  replace(tools: readonly ToolDefinition[]): void;
}

/** Starts with these tools; each look-up is one in a Map, as without a shelf. */
export function createToolShelf(tools: readonly ToolDefinition[]): ToolShelf {
  let current = createToolLookup(tools);
  return {
    findTool: (name) => current.findTool(name),
    findSkill: (tool, name) => current.findSkill(tool, name),
    toolNames: () => current.toolNames(),
    replace(next) {
      current = createToolLookup(next);
    },
  };
}

/**
 * Look-ups by Map, because an object would also find `__proto__` and `constructor`.
 * @throws where two tools have the same name
 */
export function createToolLookup(tools: readonly ToolDefinition[]): ToolLookup {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size !== tools.length) throw new Error('Two tools have the same name');
  const skills = new Map(
    tools.map((tool) => [tool, new Map(tool.skills.map((skill) => [skill.name, skill]))]),
  );
  return {
    findTool: (name) => byName.get(name),
    findSkill: (tool, name) => skills.get(tool)?.get(name),
    toolNames: () => byName.keys(),
  };
}
