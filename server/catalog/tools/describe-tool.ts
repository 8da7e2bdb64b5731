import { z } from 'zod';
import type { Versions } from '../../core/versions/versions';
import { usdFromMicrousd } from '../../kit/money';
import type { AnySkill, Price, ToolDefinition } from '../../tools/sdk/define-tool';
import type { Pricing, Skill, Tool } from './schema';
import type { SkillPart } from './selection';
import type { ToolFact } from './tool-facts';

export interface DescribeOptions {
  /** The large fields of skills to include. */
  readonly parts: ReadonlySet<SkillPart>;
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

interface SkillSchemas {
  input: NonNullable<Skill['input']>;
  output: NonNullable<Skill['outputSchema']>;
}

/**
 * Definitions are immutable, so each skill's JSON Schemas are built once. A WeakMap forgets removed
 * tools.
 */
const schemasBySkill = new WeakMap<AnySkill, SkillSchemas>();

/** Converts a tool to its public form. Pure, except for the cache of its schemas. */
export function describeTool(
  tool: ToolDefinition,
  { parts, facts, byokRate, versions, whyNotSkill }: DescribeOptions,
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
      const described = describeSkill(skill, parts, byokRate);
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

function describeSkill(skill: AnySkill, parts: ReadonlySet<SkillPart>, byokRate: number): Skill {
  const { readOnly, idempotent, destructive, estimatedSeconds } = skill.annotations;
  const described: Skill = {
    name: skill.name,
    displayName: skill.displayName,
    description: skill.description,
    returns: skill.returns,
    pricing: toPricing(skill.price, byokRate),
    annotations: { readOnly, idempotent, destructive, estimatedSeconds },
    requirements: [...(skill.requirements ?? [])],
  };
  if (parts.size === 0) return described;
  const { input, output } = getSchemas(skill);
  if (parts.has('input')) described.input = input;
  if (parts.has('inputSchema')) described.inputSchema = input;
  if (parts.has('outputSchema')) described.outputSchema = output;
  if (parts.has('examples'))
    described.examples = skill.examples.map((example) => ({
      description: example.description,
      input: example.input,
    }));
  return described;
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

/** Returns the JSON Schemas of a skill's input and output. */
export function getSchemas(skill: AnySkill): SkillSchemas {
  const known = schemasBySkill.get(skill);
  if (known) return known;
  const input = skill.givenSchemas?.input ?? toJsonSchema(skill.input, 'input');
  const output = skill.givenSchemas?.output ?? toJsonSchema(skill.output, 'output');
  const made = { input, output };
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
