import { z } from 'zod';
import { providerKeySchema } from '../../core/errors/schema';
import { deprecatedSchema } from '../../core/versions/schema';
import { definitionsShape } from '../definitions/formats';

/** A JSON Schema (2020-12) of type object. */
export const jsonSchemaSchema = z
  .looseObject({
    type: z.string().optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
  })
  .meta({ id: 'JsonSchema', description: 'A JSON Schema (2020-12).' });

export const pricingSchema = z
  .looseObject({
    free: z.boolean(),
    price_usd: z.number().min(0).describe('The total price of one unit.'),
    platform_fee_usd: z.number().min(0),
    provider_cost_usd: z.number().min(0),
    unit: z.string().describe('The unit of the price: call, page, …'),
    byok_rate: z.number().describe('The share of the price that you pay with your own provider key.'),
  })
  .meta({ id: 'Pricing' });

export const availabilitySchema = z
  .enum(['ready', 'needs_provider_key', 'unavailable'])
  .describe(
    'ready: every key can call it. needs_provider_key: with your own key of one of `provider_keys`. unavailable: nobody can call it on this gateway now.',
  );

export const skillSchema = z
  .looseObject({
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    input: jsonSchemaSchema.optional(),
    inputSchema: jsonSchemaSchema.optional(),
    outputSchema: jsonSchemaSchema.optional(),
    returns: z.string().optional(),
    examples: z
      .array(z.object({ description: z.string(), input: z.record(z.string(), z.unknown()) }))
      .optional(),
    pricing: pricingSchema,
    annotations: z.object({
      readOnly: z.boolean(),
      idempotent: z.boolean(),
      destructive: z.boolean(),
      estimatedSeconds: z.number(),
    }),
    requirements: z.array(z.string()),
    availability: availabilitySchema,
    available: z.boolean().optional().describe('false unless `availability` is ready; otherwise omitted.'),
    unavailable_reason: z.string().optional().describe('Why `availability` is not ready.'),
    provider_keys: z
      .array(providerKeySchema)
      .optional()
      .describe('With needs_provider_key: the keys, any one of which is enough.'),
    deprecated: deprecatedSchema.optional().describe('Present only if the skill or its tool is deprecated.'),
  })
  .meta({ id: 'Skill' });

export const toolSchema = z
  .looseObject({
    name: z.string(),
    displayName: z.string(),
    subtitle: z.string(),
    description: z.string(),
    categories: z.array(z.string()),
    version: z.string(),
    skills: z.array(skillSchema),
    rating: z.object({ average: z.number().nullable(), count: z.int() }),
    stats: z.object({
      success_rate: z
        .number()
        .nullable()
        .describe(
          'From 0 to 1, over 30 days; null if fewer than 20 calls count. Invalid input does not count, and the weight of each account is limited.',
        ),
      p50_ms: z.number().nullable(),
      calls_30d: z.int(),
    }),
    availability: availabilitySchema.describe('The best of its skills.'),
    available: z.boolean().describe('Whether `availability` is ready.'),
    unavailable_reason: z.string().nullable().describe('Why `availability` is not ready.'),
    provider_keys: z
      .array(providerKeySchema)
      .optional()
      .describe('With needs_provider_key: the keys, any one of which makes a skill ready.'),
    deprecated: deprecatedSchema.optional().describe('Present only if the tool is deprecated.'),
  })
  .meta({ id: 'Tool' });

/** A tool on its own. */
export const toolDetailSchema = toolSchema.extend(definitionsShape).meta({ id: 'ToolDetail' });

export const toolListSchema = z
  .object({ tools: z.array(toolSchema), ...definitionsShape })
  .meta({ id: 'ToolList' });

const foundToolSchema = toolSchema
  .extend({
    skills: z.array(skillSchema).describe('The matching skills, best first. Get the tool for all of them.'),
    score: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'How much of the request the tool matches: the share of its words, weighted by their importance and by where they match. Comparable between requests.',
      ),
    matched_skills: z.array(z.string()).describe('The names of `skills`.'),
    skill_count: z.int().describe('How many skills the tool has in all.'),
  })
  .meta({ id: 'FoundTool' });

export const foundToolListSchema = z
  .object({
    tools: z.array(foundToolSchema).describe('Best first. Empty if no tool matches well enough.'),
    nearest_categories: z
      .array(z.string())
      .optional()
      .describe(
        'Only if `tools` is empty: up to three categories whose tools match a part of the request. List their tools with `GET /v1/tools?category=…`.',
      ),
    ...definitionsShape,
  })
  .meta({ id: 'FoundToolList' });

export const toolSkillsSchema = z
  .object({ tool: z.string(), displayName: z.string(), skills: z.array(skillSchema) })
  .meta({ id: 'ToolSkills' });

export type Tool = z.infer<typeof toolSchema>;
export type FoundToolList = z.infer<typeof foundToolListSchema>;
export type Skill = z.infer<typeof skillSchema>;
export type AvailabilityState = z.infer<typeof availabilitySchema>;
export type Pricing = z.infer<typeof pricingSchema>;
