import type { z } from 'zod';
import type { Microusd } from '../../kit/money';
import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import type { AnySlot } from '../../platform/settings/providers';
import type { SkillContext } from './skill-context';

/**
 * A price as the skill's author states it. `quote` is the most a call can cost, `settle` what it
 * did cost.
 */
export interface Price<Input, Usage> {
  /** False when any input can cost something. */
  readonly free: boolean;
  /** What one unit costs at least; shown in the catalogue. */
  readonly platformFeeMicrousd: Microusd;
  /** Our cost at the provider for one unit; shown in the catalogue. */
  readonly providerCostMicrousd: Microusd;
  /** `call`, `page`, `minute`, …: what the numbers above are for. */
  readonly unit: string;
  /** Pure: the most that a call with this input can cost. */
  quote(input: Input): Cost;
  /** Pure: what the call did cost, never more than the quote. */
  settle(input: Input, usage: Usage | undefined): Cost;
}

/** The two halves of a price (contract section 7): `cost = platformFee + providerCost`. */
export interface Cost {
  readonly platformFee: Microusd;
  readonly providerCost: Microusd;
}

const NOTHING: Cost = { platformFee: 0n, providerCost: 0n };

/** A skill that never costs anything. */
export const free: Price<unknown, unknown> = {
  free: true,
  platformFeeMicrousd: 0n,
  providerCostMicrousd: 0n,
  unit: 'call',
  quote: () => NOTHING,
  settle: () => NOTHING,
};

/** A fixed platform fee for each call that succeeds. */
export function perCall(platformFeeMicrousd: Microusd): Price<unknown, unknown> {
  const cost: Cost = { platformFee: platformFeeMicrousd, providerCost: 0n };
  return {
    free: false,
    platformFeeMicrousd,
    providerCostMicrousd: 0n,
    unit: 'call',
    quote: () => cost,
    settle: () => cost,
  };
}

/**
 * A fee for each unit of work. The most is known from the input; what was done is told by
 * `usage.units`, and everything is charged where the handler does not tell.
 */
export function perUnit<Input>(
  unit: string,
  platformFeeMicrousd: Microusd,
  most: (input: Input) => number,
): Price<Input, { units: number }> {
  const cost = (units: number): Cost => ({
    platformFee: platformFeeMicrousd * BigInt(Math.max(0, Math.ceil(units))),
    providerCost: 0n,
  });
  return {
    free: false,
    platformFeeMicrousd,
    providerCostMicrousd: 0n,
    unit,
    quote: (input) => cost(most(input)),
    settle: (input, usage) => cost(usage?.units ?? most(input)),
  };
}

/**
 * What a handler returns: the output of its schema and, for metered prices, the usage that settles
 * them.
 */
export interface SkillResult<Output, Usage = undefined> {
  output: Output;
  usage?: Usage;
}

export interface SkillAnnotations {
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly destructive: boolean;
  /** A typical call, in seconds. 30 and more are queued as jobs. */
  readonly estimatedSeconds: number;
}

export interface SkillExample {
  readonly description: string;
  readonly input: Record<string, unknown>;
}

/** A JSON Schema of an object, as it is sent to clients. */
export type JsonSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

export interface SkillDefinition<Input = never, Output = unknown, Usage = unknown> {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** One sentence on what comes back. */
  readonly returns: string;
  readonly examples: readonly SkillExample[];
  readonly price: Price<NoInfer<Input>, NoInfer<Usage>>;
  /**
   * The providers it can be made through, the preferred one first; a credential of any one of them
   * is enough.
   */
  readonly requirements?: readonly AnySlot[];
  /** Pure: those of them that fit this input, the preferred one first. By default all. */
  slotsFor?(input: Input): readonly AnySlot[];
  readonly annotations: SkillAnnotations;
  /**
   * Pure: whether with this input it only computes, in well under a millisecond, and neither asks
   * nor changes anything outside. Such a call runs before it is decided on, and perhaps twice
   * (docs/decisions/0032).
   */
  instant?(input: Input): boolean;
  /** As of a tool, where one skill needs more than the tool. */
  findEngine?(): Promise<string | null>;
  /**
   * The JSON Schemas that are shown, where they were given by someone else instead of being made
   * from `input` and `output`.
   */
  readonly givenSchemas?: { readonly input: JsonSchema; readonly output: JsonSchema };
  run(context: SkillContext<Input>): Promise<SkillResult<Output, Usage>>;
}

/**
 * A skill with its types erased, as the registry and the calls see it. Inputs are parsed by `input`
 * before `run`.
 */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds skills of every input; each is parsed by its own schema first
export type AnySkill = SkillDefinition<any, any, any>;

export interface ToolDefinition {
  /** One path segment: lower-case letters, digits, hyphens; not `search`, `call` or `batch`. */
  readonly name: string;
  readonly displayName: string;
  readonly subtitle: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly version: string;
  readonly skills: readonly AnySkill[];
  /**
   * Its way out, where that is not the one all tools have: an operator may have brought a tool from
   * a private network.
   */
  readonly outbound?: OutboundFetch;
  /** Loads what is slow to load, before the first caller has to wait for it. */
  warm?(): Promise<void>;
  /**
   * Looks for what it cannot work without; null where it is there, else why not, in words for a
   * caller.
   */
  findEngine?(): Promise<string | null>;
}

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const SKILL_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const SHADOWED = new Set(['search', 'call', 'batch']);

/** Types one skill by its own schemas; the identity at run time. */
export function defineSkill<Input, Output, Usage = undefined>(
  skill: SkillDefinition<Input, Output, Usage>,
): SkillDefinition<Input, Output, Usage> {
  return skill;
}

/** Checks a tool's names when the process starts, so that a bad one never reaches a client. */
export function defineTool(tool: ToolDefinition): ToolDefinition {
  if (!NAME.test(tool.name) || SHADOWED.has(tool.name)) throw new Error(`Bad tool name: ${tool.name}`);
  const seen = new Set<string>();
  for (const skill of tool.skills) {
    if (!SKILL_NAME.test(skill.name)) throw new Error(`Bad skill name: ${tool.name}.${skill.name}`);
    if (seen.has(skill.name)) throw new Error(`Two skills are called ${tool.name}.${skill.name}`);
    seen.add(skill.name);
  }
  if (tool.skills.length === 0) throw new Error(`Tool ${tool.name} has no skills`);
  return tool;
}
