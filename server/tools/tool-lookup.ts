import type { AnySkill, ToolDefinition } from './sdk/define-tool';

/** Finds tools and skills by name. */
export interface ToolLookup {
  findTool(name: string): ToolDefinition | undefined;
  findSkill(tool: ToolDefinition, name: string): AnySkill | undefined;
  toolNames(): Iterable<string>;
}

/** A lookup of tools that can change at run time; a call in flight keeps its definition. */
export interface ToolRegistry extends ToolLookup {
  /** Replaces all tools. */
  replace(tools: readonly ToolDefinition[]): void;
}

/** Creates a registry that starts with these tools. */
export function createToolRegistry(tools: readonly ToolDefinition[]): ToolRegistry {
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
 * Uses Maps, because an object would also find `__proto__` and `constructor`.
 * @throws {Error} if two tools have the same name
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
