import { z } from 'zod';
import { deprecatedSchema } from '../../core/versions/schema';

export const callUsageSchema = z.looseObject({
  cost: z.number().describe('Dollars charged: markup + raw_cost.'),
  currency: z.literal('USD'),
  credits_remaining: z.number(),
  raw_cost: z.number(),
  markup: z.number(),
});

export const callMetaSchema = z.looseObject({
  tool: z.string(),
  skill: z.string(),
  latency_ms: z.int(),
  billing: z.string().optional(),
  byok: z.boolean().optional(),
  deprecated: deprecatedSchema.optional().describe('Only where the tool or skill is deprecated.'),
});

export const callResultSchema = z
  .looseObject({
    id: z.string().nullable(),
    status: z.enum(['success', 'error', 'pending']),
    output: z.record(z.string(), z.unknown()).optional().describe("Matches the skill's outputSchema."),
    usage: callUsageSchema.optional(),
    meta: callMetaSchema.optional(),
    billed: z.boolean().optional(),
    job_id: z.string().optional(),
    poll_url: z.string().optional(),
    receipt: z
      .string()
      .optional()
      .describe('With Prefer: receipt, of a call that succeeded: a compact JWS about what was charged.'),
    api_key: z
      .string()
      .optional()
      .describe('Of a call paid for without a key: the key that holds the rest of the payment.'),
    claim_url: z.string().optional().describe('With api_key: where a person claims its account.'),
    error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'ToolCallResult' });

export type CallResult = z.infer<typeof callResultSchema>;
