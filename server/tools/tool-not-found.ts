import type { ErrorDetails } from '../core/errors/gateway-error';
import { GatewayError } from '../core/errors/gateway-error';
import { maxDistance, quoteName, unknownName } from '../core/errors/unknown-name';
import { findNearestSkills, findNearestTool, findSkillByWords, type NamedSkill } from './nearest-skills';
import type { ToolLookup } from './tool-lookup';

/** Tools named for a skill that they have. */
const MAX_OWNERS = 3;

/**
 * The error for an unknown tool name, with a suggestion.
 * @param skill the skill that was asked for: decides between tools with names equally near
 */
export function toolNotFound(
  tools: ToolLookup,
  name: string,
  { skill, details }: { skill?: string; details?: ErrorDetails } = {},
): GatewayError {
  const suggestion = suggestTool(tools, name, skill);
  const message = `Unknown tool ${quoteName(name)}.${suggestion && ` Did you mean ${suggestion}?`}`;
  return new GatewayError('TOOL_NOT_FOUND', { message, details });
}

/** Formats the suggested tool or skill; empty if there is none. */
function suggestTool(lookup: ToolLookup, name: string, skill: string | undefined): string {
  const tools = [...lookup.toolNames()]
    .map((known) => lookup.findTool(known))
    .filter((tool) => tool !== undefined);
  const tool = findNearestTool(name, tools, { skill, limit: maxDistance(name) });
  if (tool !== undefined) return quoteName(tool);
  const found = findSkillByWords(name, tools);
  return found ? `the skill ${quoteName(found.skill)} of ${quoteName(found.tool)}` : '';
}

function suggestSkill(skills: readonly NamedSkill[], name: string): string {
  const nearest = findNearestSkills(name, skills).map((skill) => `\`${skill}\``);
  return nearest.length > 0 ? ` Did you mean ${nearest.join(' or ')}?` : '';
}

/** Names the tools that have a skill of exactly this name; empty if none has. */
function suggestOwner(lookup: ToolLookup, name: string): string {
  const owners = [...lookup.toolNames()].filter((tool) =>
    lookup.findTool(tool)?.skills.some((skill) => skill.name === name),
  );
  const shown = owners.slice(0, MAX_OWNERS).map((tool) => `\`${tool}\``);
  return shown.length > 0 ? ` It is a skill of ${shown.join(' and ')}.` : '';
}

/**
 * The error for an unknown skill name, with the tools that have it, else the nearest skills of the
 * tool, and all of them.
 */
export function skillNotFound(
  lookup: ToolLookup,
  tool: { name: string; skills: readonly NamedSkill[] },
  name: string,
  details?: ErrorDetails,
): GatewayError {
  const names = tool.skills.map((skill) => skill.name);
  const suggestion = suggestOwner(lookup, name) || suggestSkill(tool.skills, name);
  return new GatewayError('SKILL_NOT_FOUND', {
    message: `${unknownName('skill', name, [], tool.name)}${suggestion}`,
    hint: `${tool.name} has: ${names.join(', ')}.`,
    details,
  });
}
