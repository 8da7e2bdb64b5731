import type { AnySkill, ToolDefinition } from './sdk/define-tool';
import { skillNotFound, toolNotFound } from './tool-not-found';

/** A skill and its tool. */
export interface FoundSkill {
  tool: ToolDefinition;
  skill: AnySkill;
}

/** Finds tools and skills by name. */
export interface ToolLookup {
  findTool(name: string): ToolDefinition | undefined;
  findSkill(tool: ToolDefinition, name: string): AnySkill | undefined;
  /**
   * Finds the skill that a call names.
   * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND
   */
  getSkill(toolName: string, skillName: string): FoundSkill;
  /** Whether a repeated call of the skill changes nothing more; false for an unknown one. */
  isIdempotent(toolName: string, skillName: string): boolean;
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
    getSkill: (toolName, skillName) => current.getSkill(toolName, skillName),
    isIdempotent: (toolName, skillName) => current.isIdempotent(toolName, skillName),
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
  const lookup: ToolLookup = {
    findTool: (name) => byName.get(name),
    findSkill: (tool, name) => skills.get(tool)?.get(name),
    getSkill(toolName, skillName) {
      const tool = byName.get(toolName);
      if (!tool) throw toolNotFound(lookup, toolName, { skill: skillName, details: { billed: false } });
      const skill = skills.get(tool)?.get(skillName);
      if (!skill) throw skillNotFound(lookup, tool, skillName, { billed: false });
      return { tool, skill };
    },
    isIdempotent(toolName, skillName) {
      const tool = byName.get(toolName);
      return (tool && skills.get(tool)?.get(skillName)?.annotations.idempotent) ?? false;
    },
    toolNames: () => byName.keys(),
  };
  return lookup;
}
