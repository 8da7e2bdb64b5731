import { z } from 'zod';
import { providerKeySchema } from '../../core/errors/schema';
import { deprecatedSchema } from '../../core/versions/schema';
import { queryInteger } from '../../kit/query-integer';
import { definitionsShape, formatInput } from '../definitions/formats';
import { MAX_SEARCH_LENGTH } from './limits';

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
          'From 0 to 1, over 30 days; null without calls. Invalid input does not count, and the weight of each account is limited.',
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

export const toolSkillsSchema = z
  .object({ tool: z.string(), displayName: z.string(), skills: z.array(skillSchema) })
  .meta({ id: 'ToolSkills' });

export const searchToolsInput = z.object({
  q: z.string().trim().min(1).max(MAX_SEARCH_LENGTH).describe('What you want to do, in your own words.'),
  limit: queryInteger({ min: 1, max: 500, fallback: 100, about: 'The maximum number of tools.' }),
  format: formatInput,
});

export type Tool = z.infer<typeof toolSchema>;
export type Skill = z.infer<typeof skillSchema>;
export type AvailabilityState = z.infer<typeof availabilitySchema>;
export type Pricing = z.infer<typeof pricingSchema>;
