import type { ErrorDetails } from '../core/errors/gateway-error';
import { GatewayError } from '../core/errors/gateway-error';
import { unknownName } from '../core/errors/unknown-name';
import type { ToolLookup } from './tool-lookup';

/** The error for an unknown tool name, with a suggestion. */
export function toolNotFound(tools: ToolLookup, name: string, details?: ErrorDetails): GatewayError {
  const message = unknownName('tool', name, tools.toolNames());
  return new GatewayError('TOOL_NOT_FOUND', { message, details });
}

/** The error for an unknown skill name, with a suggestion and the tool's skills. */
export function skillNotFound(
  tool: { name: string; skills: readonly { name: string }[] },
  name: string,
  details?: ErrorDetails,
): GatewayError {
  const names = tool.skills.map((skill) => skill.name);
  return new GatewayError('SKILL_NOT_FOUND', {
    message: unknownName('skill', name, names, tool.name),
    hint: `${tool.name} has: ${names.join(', ')}.`,
    details,
  });
}
