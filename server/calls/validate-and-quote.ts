import type { ZodError } from 'zod';
import type { AnyProviderName } from '../platform/settings/providers';
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
 * Finds the skill that a call names.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND
 */
export function getSkill(lookup: ToolLookup, toolName: string, skillName: string): FoundSkill {
  const tool = lookup.findTool(toolName);
  if (!tool) throw toolNotFound(lookup, toolName, { billed: false });
  const skill = lookup.findSkill(tool, skillName);
  if (!skill) throw skillNotFound(tool, skillName, { billed: false });
  return { tool, skill };
}

const NO_REQUIREMENTS: readonly AnyProviderName[] = [];

/**
 * The providers that a call with this input can use, preferred first; empty if it needs none. Pure.
 */
export function getProviderRequirements(skill: AnySkill, input: unknown): readonly AnyProviderName[] {
  return skill.getRequirementsFor?.(input) ?? skill.requirements ?? NO_REQUIREMENTS;
}

export type QuotedInput = { ok: true; input: unknown; quote: CallCost } | { ok: false; error: ZodError };

/** The maximum cost of a prepared call, with the chosen credential. Pure. */
export function quoteWithCredential(
  skill: AnySkill,
  { input, quote }: QuotedInput & { ok: true },
  credential: { isByok: boolean } | null,
  byokRatePpm: bigint,
): CallCost {
  return credential?.isByok ? quoteCall(skill, input, true, byokRatePpm) : quote;
}

/** Validates the input against the schema of the skill and prices it. Pure. */
export function validateAndQuote(
  skill: AnySkill,
  rawInput: Record<string, unknown>,
  options: { byok: boolean; byokRatePpm: bigint },
): QuotedInput {
  const parsed = skill.input.safeParse(rawInput);
  if (!parsed.success) return { ok: false, error: parsed.error };
  const quote = quoteCall(skill, parsed.data, options.byok, options.byokRatePpm);
  return { ok: true, input: parsed.data, quote };
}
