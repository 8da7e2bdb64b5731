import type { ZodError } from 'zod';
import type { AnySlot } from '../platform/settings/providers';
import type { AnySkill, ToolDefinition } from '../tools/sdk/define-tool';
import type { ToolLookup } from '../tools/tool-lookup';
import { skillNotFound, toolNotFound } from '../tools/tool-not-found';
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
  if (!tool) throw toolNotFound(lookup, toolName, { billed: false });
  const skill = lookup.findSkill(tool, skillName);
  if (!skill) throw skillNotFound(tool, skillName, { billed: false });
  return { tool, skill };
}

const NO_SLOTS: readonly AnySlot[] = [];

/**
 * Pure: the providers that a call with this input can go through, the preferred one first; none
 * where it needs none.
 */
export function slotsOf(skill: AnySkill, input: unknown): readonly AnySlot[] {
  return skill.slotsFor?.(input) ?? skill.requirements ?? NO_SLOTS;
}

export type PreparedCall = { ok: true; input: unknown; quote: CallCost } | { ok: false; error: ZodError };

/** Pure: the most a prepared call can cost, now that it is known whose key it will use. */
export function quoteFor(
  skill: AnySkill,
  { input, quote }: PreparedCall & { ok: true },
  credential: { isOwn: boolean } | null,
  byokRatePpm: bigint,
): CallCost {
  return credential?.isOwn ? quoteCall(skill, input, true, byokRatePpm) : quote;
}

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
