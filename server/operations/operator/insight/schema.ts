import { z } from 'zod';

const instant = z.iso.datetime();

export const insightPeriods = ['24h', '7d', '30d', '90d'] as const;
export const insightOrders = ['revenue', 'calls', 'failures'] as const;

export const insightInput = z.object({
  period: z.enum(insightPeriods).default('30d'),
  /** What the top lists are ordered by. */
  by: z.enum(insightOrders).default('revenue'),
});

const sumsSchema = z.object({
  calls: z.int(),
  /** Failures of the tools themselves. */
  failed: z.int(),
  revenue_usd: z.number(),
  /** What providers charge for the reported usage, at their list prices. */
  provider_cost_usd: z.number(),
  margin_usd: z.number(),
});
const totalsSchema = sumsSchema.extend({ sign_ups: z.int() });

export const insightSchema = z.object({
  period: z.enum(insightPeriods),
  by: z.enum(insightOrders),
  unit: z.enum(['hour', 'day']),
  totals: totalsSchema,
  /** Of the period before. */
  before: totalsSchema,
  by_time: z.array(totalsSchema.extend({ at: instant })),
  top_accounts: z.array(
    sumsSchema.extend({
      account_id: z.string(),
      /** A team's name, or a person's email address; the account's name without one. */
      name: z.string(),
      /** A team's owner's email address; the id of an account without an email address. */
      note: z.string().nullable(),
    }),
  ),
  top_tools: z.array(
    sumsSchema.extend({
      tool: z.string(),
      display_name: z.string(),
      /** False if it is imported without the cost of its upstream: margin is then unknown. */
      cost_recorded: z.boolean(),
    }),
  ),
});

export const insightRefusalsSchema = z.object({
  /** Calls that were refused before they ran. */
  refused: z.int(),
  by_code: z.array(
    z.object({
      error_code: z.string(),
      /** The `limit` of the error, such as `key` or `minute`. */
      limit: z.string().nullable(),
      refused: z.int(),
      accounts: z.int(),
      last_at: instant,
    }),
  ),
});

export type Insight = z.infer<typeof insightSchema>;
export type InsightRefusals = z.infer<typeof insightRefusalsSchema>;
export type InsightInput = z.infer<typeof insightInput>;
export type InsightPeriod = (typeof insightPeriods)[number];
export type InsightOrder = (typeof insightOrders)[number];
