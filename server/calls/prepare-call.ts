import type { ZodError } from 'zod';
import { GatewayError } from '../errors/gateway-error';
import type { AnySkill, ToolDefinition } from '../tools/define-tool';
import type { ToolLookup } from '../tools/tool-lookup';
import type { CallCost } from './price-call';
import { quoteCall } from './price-call';

export interface FoundSkill {
  tool: ToolDefinition;
  skill: AnySkill;
}

/**
 * The skill a call names.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND
 */
export function getSkill(lookup: ToolLookup, toolName: string, skillName: string): FoundSkill {
  const tool = lookup.findTool(toolName);
  if (!tool) throw new GatewayError('TOOL_NOT_FOUND', { details: { billed: false } });
  const skill = lookup.findSkill(tool, skillName);
  if (!skill)
    throw new GatewayError('SKILL_NOT_FOUND', {
      hint: `${tool.name} has: ${tool.skills.map((s) => s.name).join(', ')}.`,
      details: { billed: false },
    });
  return { tool, skill };
}

export type PreparedCall = { ok: true; input: unknown; quote: CallCost } | { ok: false; error: ZodError };

/** Pure: checks the input against the skill's schema and prices it. */
export function prepareCall(
  skill: AnySkill,
  rawInput: Record<string, unknown>,
  options: { byok: boolean; byokRatePpm: bigint },
): PreparedCall {
  const parsed = skill.input.safeParse(rawInput);
  if (!parsed.success) return { ok: false, error: parsed.error };
  const quote = quoteCall(skill, parsed.data, options.byok, options.byokRatePpm);
  return { ok: true, input: parsed.data, quote };
}
