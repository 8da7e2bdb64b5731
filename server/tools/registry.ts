import { tool as codes } from './codes';
import type { AnySkill, ToolDefinition } from './define-tool';
import { tool as diagnostics } from './diagnostics';
import { tool as math } from './math';
import { tool as text } from './text';

/** All tools of this gateway. Adding one is adding a line here. */
export const tools: readonly ToolDefinition[] = [codes, diagnostics, math, text];

// Maps, because an object would also find `__proto__` and `constructor`.
const byName = new Map(tools.map((tool) => [tool.name, tool]));
const skillsByTool = new Map(
  tools.map((tool) => [tool, new Map(tool.skills.map((skill) => [skill.name, skill]))]),
);
if (byName.size !== tools.length) throw new Error('Two tools have the same name');

/** The tool of that name, or null. */
export function findTool(name: string): ToolDefinition | null {
  return byName.get(name) ?? null;
}

/** The skill of that name in a tool of the registry, or null. */
export function findSkill(tool: ToolDefinition, name: string): AnySkill | null {
  return skillsByTool.get(tool)?.get(name) ?? null;
}
