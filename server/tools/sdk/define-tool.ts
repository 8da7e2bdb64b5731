import type { z } from 'zod';
import type { Microusd } from '../../kit/money';
import { makeStrict } from '../../kit/strict-input';
import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import type { AnyProviderName } from '../../platform/settings/providers';
import type { RateTable } from './rates';
import type { SkillContext } from './skill-context';

/**
 * A price as declared by a skill. `quote` is the highest cost, `settle` the actual cost. Both use
 * the current unit prices, or those that a quote carries.
 */
export interface Price<Input, Usage> {
  /** False if any input can cost something. */
  readonly free: boolean;
  /** The lowest platform fee of one unit; shown in the catalogue. */
  readonly platformFeeMicrousd: Microusd;
  /** What the provider charges us for one unit; shown in the catalogue. */
  readonly providerCostMicrousd: Microusd;
  /** The unit of these amounts: `call`, `page`, `minute`, and so on. */
  readonly unit: string;
  /** The input fields that the quote depends on; absent if every input has the same quote. */
  readonly costFields?: readonly string[];
  /** Pure: the current unit prices of a call with this input, as a quote carries them. */
  rates(input: Input): RateTable;
  /** Pure: the highest cost of a call with this input. */
  quote(input: Input, rates?: RateTable): Cost;
  /** Pure: the actual cost of the call, never above the quote. */
  settle(input: Input, usage: Usage | undefined, rates?: RateTable): Cost;
  /**
   * Pure: this price with an operator's changes, under the same names of unit prices, so that a
   * quote stays valid. Absent if the caller's input is the price.
   */
  reprice?(change: PriceChange): Price<Input, Usage>;
}

/** What an operator can change of a price; what is absent is the default. */
export interface PriceChange {
  /** Per unit. */
  readonly platformFeeMicrousd?: Microusd | undefined;
  /** Parts per million of the provider's cost that are added to the platform fee. */
  readonly markupPpm?: bigint | undefined;
}

/** The two halves of a price (contract section 7): `cost = platformFee + providerCost`. */
export type Cost = {
  readonly platformFee: Microusd;
  readonly providerCost: Microusd;
};

const NOTHING: Cost = { platformFee: 0n, providerCost: 0n };

/** The functions of a price that is the same for every call; its rates are the cost itself. */
export function fixedCost(cost: Cost): Pick<Price<unknown, unknown>, 'rates' | 'quote' | 'settle'> {
  return {
    rates: () => cost,
    quote: (_, rates) => (rates as Cost | undefined) ?? cost,
    settle: (_, __, rates) => (rates as Cost | undefined) ?? cost,
  };
}

/** The price of a skill that is always free. */
export const free: Price<unknown, unknown> = {
  free: true,
  platformFeeMicrousd: 0n,
  providerCostMicrousd: 0n,
  unit: 'call',
  ...fixedCost(NOTHING),
  reprice: ({ platformFeeMicrousd = 0n }) => perCall(platformFeeMicrousd),
};

/** A fixed platform fee for each successful call. */
export function perCall(platformFeeMicrousd: Microusd): Price<unknown, unknown> {
  return {
    free: platformFeeMicrousd === 0n,
    platformFeeMicrousd,
    providerCostMicrousd: 0n,
    unit: 'call',
    ...fixedCost({ platformFee: platformFeeMicrousd, providerCost: 0n }),
    reprice: (change) => perCall(change.platformFeeMicrousd ?? platformFeeMicrousd),
  };
}

/**
 * A fee per unit of work. `most` bounds the units by the input; the handler reports the actual
 * units as `usage.units`. Without a report, the bound is charged.
 * @param costFields the input fields that `most` reads
 */
export function perUnit<Input>(
  unit: string,
  platformFeeMicrousd: Microusd,
  most: (input: Input) => number,
  costFields: readonly (keyof Input & string)[],
): Price<Input, { units: number }> {
  const current = { unit: platformFeeMicrousd };
  const cost = (units: number, rates?: RateTable): Cost => ({
    platformFee:
      ((rates as typeof current | undefined) ?? current).unit * BigInt(Math.max(0, Math.ceil(units))),
    providerCost: 0n,
  });
  return {
    free: platformFeeMicrousd === 0n,
    platformFeeMicrousd,
    providerCostMicrousd: 0n,
    unit,
    costFields,
    rates: () => current,
    quote: (input, rates) => cost(most(input), rates),
    settle: (input, usage, rates) => cost(usage?.units ?? most(input), rates),
    reprice: (change) => perUnit(unit, change.platformFeeMicrousd ?? platformFeeMicrousd, most, costFields),
  };
}

/** What a handler returns: the output and, for metered prices, the usage to charge. */
export interface SkillResult<Output, Usage = undefined> {
  output: Output;
  usage?: Usage;
}

export interface SkillAnnotations {
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly destructive: boolean;
  /** Duration of a typical call in seconds. From 30 on, calls are queued as jobs. */
  readonly estimatedSeconds: number;
}

export interface SkillExample {
  readonly description: string;
  readonly input: Record<string, unknown>;
}

/** A JSON Schema of an object, as sent to clients. */
export type JsonSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** What is wrong with a value, and where. */
export interface SchemaProblem {
  path: string[];
  message: string;
}

/**
 * Finds problems that a schema cannot check in the event loop.
 * @param getSignal has the caller; few values need it, and creating one is slow
 */
export type SlowCheck = (value: unknown, getSignal: () => AbortSignal) => Promise<SchemaProblem[]>;

export interface SkillDefinition<Input = never, Output = unknown, Usage = unknown> {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Words of users for the same need, for search only: those that the other texts lack. */
  readonly keywords?: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** One sentence that describes the result. */
  readonly returns: string;
  readonly examples: readonly SkillExample[];
  readonly price: Price<NoInfer<Input>, NoInfer<Usage>>;
  /** Providers that can serve the skill, in order of preference; a credential for one is enough. */
  readonly requirements?: readonly AnyProviderName[];
  /** Pure: the providers suitable for this input, in order of preference. By default all. */
  getRequirementsFor?(input: Input): readonly AnyProviderName[];
  readonly annotations: SkillAnnotations;
  /** As findEngine of a tool, for a skill that needs more than its tool. */
  findEngine?(): Promise<MissingEngine | null>;
  /** What calls with the platform's provider key need besides; those with the caller's do not. */
  readonly platformKeyNeeds?: Pick<ToolDefinition, 'findEngine'>;
  /** Checks that follow those of `input` and `output`, outside the event loop. */
  readonly slowChecks?: { readonly input: SlowCheck; readonly output: SlowCheck };
  /** The published JSON Schemas, if they are not generated from `input` and `output`. */
  readonly givenSchemas?: { readonly input: JsonSchema; readonly output: JsonSchema };
  run(context: SkillContext<Input>): Promise<SkillResult<Output, Usage>>;
}

/** A skill with its types erased, as the registry and calls use it. `input` parses before `run`. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds skills of every input; each is parsed by its own schema first
export type AnySkill = SkillDefinition<any, any, any>;

/** What a tool or skill lacks on this gateway. */
export interface MissingEngine {
  /** For callers, who cannot change it. */
  readonly reason: string;
  /** For operators: how to provide it. */
  readonly fix?: string;
}

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
   * Replaces the default outbound fetch, for tools that an operator imports from a private network.
   */
  readonly outbound?: OutboundFetch;
  /** Loads slow dependencies in advance, so that the first caller does not wait. */
  warm?(): Promise<void>;
  /** Checks for software that the tool requires; null if it is present. */
  readonly findEngine?: (() => Promise<MissingEngine | null>) | undefined;
}

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const SKILL_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const SHADOWED = new Set(['search', 'call', 'batch']);

/** Infers the types of a skill from its schemas; returns it unchanged. */
export function defineSkill<Input, Output, Usage = undefined>(
  skill: SkillDefinition<Input, Output, Usage>,
): SkillDefinition<Input, Output, Usage> {
  return skill;
}

/**
 * Checks the names of a tool at startup, and makes the inputs of its skills reject unknown fields.
 * @throws {Error} if a name is invalid or used twice
 */
export function defineTool(tool: ToolDefinition): ToolDefinition {
  if (!NAME.test(tool.name) || SHADOWED.has(tool.name)) throw new Error(`Invalid tool name: ${tool.name}`);
  const seen = new Set<string>();
  for (const skill of tool.skills) {
    if (!SKILL_NAME.test(skill.name)) throw new Error(`Invalid skill name: ${tool.name}.${skill.name}`);
    if (seen.has(skill.name)) throw new Error(`Duplicate skill name: ${tool.name}.${skill.name}`);
    seen.add(skill.name);
  }
  if (tool.skills.length === 0) throw new Error(`Tool ${tool.name} has no skills`);
  return { ...tool, skills: tool.skills.map((skill) => ({ ...skill, input: makeStrict(skill.input) })) };
}
