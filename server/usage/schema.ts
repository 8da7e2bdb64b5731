import { z } from 'zod';
import { queryInteger } from '../kit/query-integer';

export const usagePeriodSchema = z.enum(['day', 'week', 'month', 'all']);

export const usageInput = z.object({
  period: usagePeriodSchema.default('month').describe('The last 24 hours, 7 days, 30 days, or everything.'),
  key_id: z.string().min(1).max(64).describe('Only calls of this key.').optional(),
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
  key_id: z.string().min(1).max(64).describe('Only calls of this key.').optional(),
  limit: queryInteger({ min: 1, max: 500, fallback: 50, about: 'At most this many.' }),
  cursor: z.string().min(1).max(200).describe('next_cursor of the page before.').optional(),
});

export const usageHistorySchema = z
  .looseObject({ records: z.array(usageRecordSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'UsageHistory' });

export type UsageSummary = z.infer<typeof usageSummarySchema>;
export type UsageRecord = z.infer<typeof usageRecordSchema>;
export type UsageHistory = z.infer<typeof usageHistorySchema>;

/*
 * What the dashboard asks of usage, and is told. Beside the shapes of /v1/usage in schema.ts, which may not change: these
 * are for signed-in people only.
 */

/** How far back a report goes; `mtd` is the calendar month so far. All of it in UTC. */
const reportPeriods = ['24h', '7d', '30d', '90d', 'mtd', 'all'] as const;

/** Nothing was called before 2000; and what is read month by month must end somewhere. */
const daySchema = z.iso
  .date()
  .refine((day) => day >= '2000' && day < '2200', 'Use a day from 2000-01-01 to 2199-12-31.');

/**
 * Which calls: of whom, when, and of those which. Days are UTC, both included, and go before the
 * period.
 */
export const usageFilterSchema = z.object({
  /**
   * `personal` (where it is left out), or the slug of a team of yours: the account that was
   * charged.
   */
  billing: z.string().min(1).max(64).optional(),
  /** Of every account of yours instead of one: what a key has charged to whom. */
  every_account: z.boolean().optional(),
  period: z.enum(reportPeriods).optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  key_id: z.string().min(1).max(64).optional(),
  tool: z.string().min(1).max(64).optional(),
  status: z.enum(['success', 'error']).optional(),
  /** The person whose keys made the calls: of a team. */
  member: z.string().min(1).max(64).optional(),
});

export const usageCallsInput = usageFilterSchema.extend({
  limit: z.int().min(1).max(100).optional(),
  cursor: z.string().min(1).max(200).optional(),
});

export const usageCallInput = z.object({ id: z.string().min(1).max(64) });
export const usageBillingInput = usageFilterSchema.pick({ billing: true });

const totalsSchema = z.object({
  calls: z.int(),
  failed: z.int(),
  cost_usd: z.number(),
  raw_cost_usd: z.number(),
  /** Null where only calls of one ending are counted: the sums do not tell these apart. */
  byok_calls: z.int().nullable(),
  avg_latency_ms: z.number().nullable(),
});

const keyWordsSchema = z.object({
  key_id: z.string(),
  /** `Playground` for the key behind it. */
  name: z.string(),
  /** Null: the key is gone. */
  kind: z.enum(['api', 'playground', 'oauth']).nullable(),
  /** Whether the key is the viewer's own, and has a page they may see. */
  is_yours: z.boolean(),
});

const accountWordsSchema = z.object({
  id: z.string(),
  slug: z.string().nullable(),
  name: z.string(),
});

const sumSchema = z.object({ calls: z.int(), failed: z.int(), cost_usd: z.number() });

export const usageReportSchema = z.object({
  /** The account that was charged; null where it is every one of theirs. */
  account: accountWordsSchema.nullable(),
  from: z.iso.datetime(),
  /** The first instant after it. */
  to: z.iso.datetime(),
  unit: z.enum(['hour', 'day', 'week', 'month']),
  totals: totalsSchema,
  /** Of the span of the same length before; null where there is none. */
  before: totalsSchema.nullable(),
  by_time: z.array(z.object({ at: z.iso.datetime(), calls: z.int(), cost_usd: z.number() })),
  /**
   * The tools that spent most and those that were called most, each over the instants of `by_time`.
   */
  series: z.array(z.object({ tool: z.string(), calls: z.array(z.int()), cost_usd: z.array(z.number()) })),
  by_tool: z.array(sumSchema.extend({ tool: z.string(), avg_latency_ms: z.number().nullable() })),
  by_key: z.array(sumSchema.extend(keyWordsSchema.shape)),
  /** Keys that are not listed any more: only those that cost most are. */
  keys_left_out: z.int(),
  /** Whose keys, for a team; else null. */
  by_member: z.array(sumSchema.extend({ user_id: z.string().nullable(), name: z.string() })).nullable(),
  /** Who was charged, where it is every account; else null. */
  by_account: z.array(sumSchema.extend(accountWordsSchema.shape)).nullable(),
  /**
   * Single calls are kept from then on; what was before is in the sums alone. Null: all are there.
   */
  calls_kept_from: z.iso.datetime().nullable(),
});

export const usageCallSchema = usageRecordSchema.extend({
  finished_at: z.iso.datetime(),
  /** Who was charged. */
  account: accountWordsSchema,
  key_kind: keyWordsSchema.shape.kind,
  key_is_yours: z.boolean(),
  /** Whose key it was, where it is not the viewer's. */
  member: z.string().nullable(),
});

export const usageCallsSchema = z.object({
  calls: z.array(usageCallSchema),
  next_cursor: z.string().nullable(),
});

/** What a report can be narrowed to. */
export const usageChoicesSchema = z.object({
  tools: z.array(z.string()),
  keys: z.array(keyWordsSchema.extend({ owner: z.string().nullable() })),
});

/** What of the first steps is done, and the figures of a first look. */
export const usageGlanceSchema = z.object({
  day: sumSchema,
  week: sumSchema,
  month: sumSchema,
  has_key: z.boolean(),
  has_called: z.boolean(),
  has_spent: z.boolean(),
  has_credit: z.boolean(),
  has_played: z.boolean(),
});

export type UsageFilter = z.infer<typeof usageFilterSchema>;
export type UsageReport = z.infer<typeof usageReportSchema>;
export type UsageTotals = z.infer<typeof totalsSchema>;
export type UsageCall = z.infer<typeof usageCallSchema>;
export type UsageCalls = z.infer<typeof usageCallsSchema>;
export type UsageChoices = z.infer<typeof usageChoicesSchema>;
export type UsageGlance = z.infer<typeof usageGlanceSchema>;
