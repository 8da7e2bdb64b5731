import { z } from 'zod';
import type { Versions } from '../../core/versions/versions';
import { usdFromMicrousd } from '../../kit/money';
import type { AnySkill, Price, ToolDefinition } from '../../tools/sdk/define-tool';
import type { Pricing, Skill, Tool } from './schema';
import type { ToolFact } from './tool-facts';

export interface DescribeOptions {
  /** Includes schemas and examples; lists leave them out to stay small. */
  readonly detail: boolean;
  readonly facts: ToolFact;
  /** Share of the price that a BYOK call costs, 0 to 1 (contract section 7). */
  readonly byokRate: number;
  /** Deprecations of tools and skills. */
  readonly versions: Versions;
  /**
   * Returns why a skill cannot be called, or only with the caller's own provider key; null if it
   * can.
   */
  readonly whyNotSkill?: (skill: AnySkill) => string | null;
}

type SkillSchemas = Pick<Skill, 'input' | 'inputSchema' | 'outputSchema'>;

/**
 * Definitions are immutable, so each skill's JSON Schemas are built once. A WeakMap forgets removed
 * tools.
 */
const schemasBySkill = new WeakMap<AnySkill, SkillSchemas>();

/** Converts a tool to its public form. Pure, except for the cache of its schemas. */
export function describeTool(
  tool: ToolDefinition,
  { detail, facts, byokRate, versions, whyNotSkill }: DescribeOptions,
): Tool {
  const notice = versions.findToolNotice(tool.name);
  return {
    name: tool.name,
    displayName: tool.displayName,
    subtitle: tool.subtitle,
    description: tool.description,
    categories: [...tool.categories],
    version: tool.version,
    skills: tool.skills.map((skill) => {
      const described = describeSkill(skill, detail, byokRate);
      const deprecated = versions.findToolNotice(tool.name, skill.name)?.deprecated;
      if (deprecated) described.deprecated = deprecated;
      const reason = whyNotSkill?.(skill);
      return reason ? { ...described, available: false, unavailable_reason: reason } : described;
    }),
    rating: facts.rating,
    stats: facts.stats,
    available: facts.available,
    unavailable_reason: facts.unavailable_reason,
    ...(notice && { deprecated: notice.deprecated }),
  };
}

/**
 * Builds the JSON Schemas of all skills: half a millisecond each, better at the start than during a
 * request.
 */
export function warmSchemas(tools: readonly ToolDefinition[]): void {
  for (const tool of tools) for (const skill of tool.skills) getSchemas(skill);
}

function describeSkill(skill: AnySkill, detail: boolean, byokRate: number): Skill {
  const { readOnly, idempotent, destructive, estimatedSeconds } = skill.annotations;
  const summary: Skill = {
    name: skill.name,
    displayName: skill.displayName,
    description: skill.description,
    returns: skill.returns,
    pricing: toPricing(skill.price, byokRate),
    annotations: { readOnly, idempotent, destructive, estimatedSeconds },
    requirements: [...(skill.requirements ?? [])],
  };
  if (!detail) return summary;
  const examples = skill.examples.map(({ description, input }) => ({ description, input }));
  return { ...summary, ...getSchemas(skill), examples };
}

function toPricing(price: Price<unknown, unknown>, byokRate: number): Pricing {
  return {
    free: price.free,
    price_usd: usdFromMicrousd(price.platformFeeMicrousd + price.providerCostMicrousd),
    platform_fee_usd: usdFromMicrousd(price.platformFeeMicrousd),
    provider_cost_usd: usdFromMicrousd(price.providerCostMicrousd),
    unit: price.unit,
    byok_rate: byokRate,
  };
}

function getSchemas(skill: AnySkill): SkillSchemas {
  const known = schemasBySkill.get(skill);
  if (known) return known;
  const input = skill.givenSchemas?.input ?? toJsonSchema(skill.input, 'input');
  const output = skill.givenSchemas?.output ?? toJsonSchema(skill.output, 'output');
  const made = { input, inputSchema: input, outputSchema: output };
  schemasBySkill.set(skill, made);
  return made;
}

/**
 * Converts to JSON Schema draft 2020-12. `input`: what callers may send (defaults are optional);
 * `output`: what they receive.
 */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): NonNullable<Skill['input']> {
  const json = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  // Forms and models need properties, which a union at the top level does not have.
  if (json.type !== 'object') throw new Error(`The ${io} schema of a skill must be an object`);
  return { ...json, type: json.type };
}
