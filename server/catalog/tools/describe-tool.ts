import { z } from 'zod';
import type { Versions } from '../../core/versions/versions';
import { usdFromMicrousd } from '../../kit/money';
import type { AnySkill, Price, ToolDefinition } from '../../tools/sdk/define-tool';
import { type Availability, READY, type ToolAvailability } from './availability';
import type { Pricing, Skill, Tool } from './schema';
import type { SkillPart } from './selection';
import type { ToolFact } from './tool-facts';

export interface DescribeOptions {
  /** The large fields of skills to include. */
  readonly parts: ReadonlySet<SkillPart>;
  /** Describes only these skills, in this order. By default all. */
  readonly skills?: readonly string[];
  readonly facts: ToolFact;
  /** Share of the price that a BYOK call costs, 0 to 1 (contract section 7). */
  readonly byokRate: number;
  /** Deprecations of tools and skills. */
  readonly versions: Versions;
  readonly availability: ToolAvailability;
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
  { parts, facts, byokRate, versions, availability, skills: names }: DescribeOptions,
): Tool {
  const notice = versions.findToolNotice(tool.name);
  const skills = names?.flatMap((name) => tool.skills.find((skill) => skill.name === name) ?? []);
  return {
    name: tool.name,
    displayName: tool.displayName,
    subtitle: tool.subtitle,
    description: tool.description,
    categories: [...tool.categories],
    version: tool.version,
    skills: (skills ?? tool.skills).map((skill) => {
      const described = describeSkill(skill, parts, byokRate);
      Object.assign(described, describeAvailability(availability.skills.get(skill) ?? READY, parts.size > 0));
      const deprecated = versions.findToolNotice(tool.name, skill.name)?.deprecated;
      if (deprecated) described.deprecated = deprecated;
      return described;
    }),
    rating: facts.rating,
    stats: facts.stats,
    ...describeAvailability(availability.tool, true),
    available: availability.tool.state === 'ready',
    unavailable_reason: availability.tool.reason,
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

/** Lists leave out the keys of single skills: `requirements` names them. */
function describeAvailability(
  { state, reason, keys }: Availability,
  withKeys: boolean,
): Pick<Skill, 'availability' | 'available' | 'unavailable_reason' | 'provider_keys'> {
  if (reason === null) return { availability: state };
  const more = withKeys && keys.length > 0 ? { provider_keys: [...keys] } : {};
  return { availability: state, available: false, unavailable_reason: reason, ...more };
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
    availability: 'ready',
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
