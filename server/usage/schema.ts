import { z } from 'zod';

export const usagePeriodSchema = z.enum(['day', 'week', 'month', 'all']);

export const usageInput = z.object({
  period: usagePeriodSchema.default('month').describe('The last 24 hours, 7 days, 30 days, or everything.'),
  key_id: z.string().min(1).max(64).optional().describe('Only calls of this key.'),
});

export const usageSummarySchema = z
  .looseObject({
    period: usagePeriodSchema,
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    key_id: z.string().nullable(),
    calls: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    cost_usd: z.number(),
    raw_cost_usd: z.number(),
    byok_calls: z.int(),
    by_tool: z.array(
      z.object({
        tool: z.string(),
        calls: z.int(),
        cost_usd: z.number(),
        failed: z.int(),
        avg_latency_ms: z.number(),
      }),
    ),
    by_key: z.array(z.object({ key_id: z.string(), name: z.string(), calls: z.int(), cost_usd: z.number() })),
    by_time: z
      .array(z.object({ at: z.iso.datetime(), calls: z.int(), cost_usd: z.number() }))
      .describe('Hours for a day, else days; UTC.'),
  })
  .meta({ id: 'UsageSummary' });

export const usageRecordSchema = z
  .looseObject({
    id: z.string(),
    created_at: z.iso.datetime(),
    tool: z.string(),
    skill: z.string(),
    status: z.enum(['success', 'error', 'pending']),
    cost_usd: z.number(),
    raw_cost_usd: z.number(),
    markup_usd: z.number(),
    billing: z.string().describe('The account charged: personal, or the slug of a team.'),
    byok: z.boolean(),
    key_id: z.string(),
    key_name: z.string(),
    latency_ms: z.int(),
    job_id: z.string().nullable(),
    error_code: z.string().nullable(),
  })
  .meta({ id: 'UsageRecord' });

export const usageHistoryInput = z.object({
  key_id: z.string().min(1).max(64).optional().describe('Only calls of this key.'),
  limit: z.coerce.number<string>().int().min(1).max(500).default(50).describe('At most this many.'),
  cursor: z.string().min(1).max(200).optional().describe('next_cursor of the page before.'),
});

export const usageHistorySchema = z
  .looseObject({ records: z.array(usageRecordSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'UsageHistory' });

export type UsageSummary = z.infer<typeof usageSummarySchema>;
export type UsageRecord = z.infer<typeof usageRecordSchema>;
export type UsageHistory = z.infer<typeof usageHistorySchema>;
