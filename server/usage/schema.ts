import { z } from 'zod';
import { queryInteger } from '../kit/query-integer';
import { MAX_FILTER_LENGTH, MAX_REQUEST_ID, MAX_TREND_POINTS } from './limits';

export const usagePeriodSchema = z.enum(['day', 'week', 'month', 'all']);

const tagFilterSchema = z
  .string()
  .min(1)
  .max(MAX_FILTER_LENGTH)
  .describe('Only calls of keys that have this tag now.');

export const usageInput = z.object({
  period: usagePeriodSchema.default('month').describe('The last 24 hours, 7 days, 30 days, or everything.'),
  key_id: z.string().min(1).max(64).describe('Only calls of this key.').optional(),
  tag: tagFilterSchema.optional(),
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
    error_message: z
      .string()
      .nullable()
      .describe(
        'On a failure, the message of its response, without secrets and shortened. Null for calls of other members of a team.',
      ),
    request_id: z
      .string()
      .nullable()
      .describe('X-Request-Id of the request that made the call; the calls of a batch share one.'),
  })
  .meta({ id: 'UsageRecord' });

const callDetails = {
  http_status: z
    .int()
    .nullable()
    .describe('The status of a response with this outcome; a batch answers 200, and a job 202.'),
  resolution_hint: z.string().nullable().describe('On a failure: what to do next.'),
  max_cost_usd: z
    .number()
    .nullable()
    .describe('The most that the call could cost. Null if it cost that, or is not known.'),
  attempts: z.int().nullable().describe('How often the tool was started. Null if it is not known any more.'),
  started_at: z.iso
    .datetime()
    .nullable()
    .describe('When the tool was first started: of a queued call, later than created_at.'),
  ledger_entry: z
    .looseObject({
      id: z.string(),
      amount_usd: z.number().describe('Negative: it left the account.'),
      created_at: z.iso.datetime(),
    })
    .nullable()
    .describe('The entry of its charge; null if nothing was charged.'),
};

export const usageCallRecordSchema = usageRecordSchema
  .extend({ finished_at: z.iso.datetime(), ...callDetails })
  .meta({ id: 'UsageCallRecord' });

export const usageCallRecordInput = z.object({
  call_id: z.string().min(1).max(64).describe('The `id` of a result, or `error.call_id` of a failure.'),
});

export const usageHistoryInput = z.object({
  key_id: z.string().min(1).max(64).describe('Only calls of this key.').optional(),
  tag: tagFilterSchema.optional(),
  request_id: z
    .string()
    .min(1)
    .max(MAX_REQUEST_ID)
    .describe('Only calls of the request with this X-Request-Id.')
    .optional(),
  error_code: z
    .string()
    .min(1)
    .max(MAX_FILTER_LENGTH)
    .describe('Only calls that failed with this code.')
    .optional(),
  limit: queryInteger({ min: 1, max: 500, fallback: 50, about: 'At most this many.' }),
  cursor: z.string().min(1).max(200).describe('next_cursor from the previous page.').optional(),
});

export const usageHistorySchema = z
  .looseObject({ records: z.array(usageRecordSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'UsageHistory' });

export const usageErrorsInput = usageInput.extend({
  tool: z.string().min(1).max(MAX_FILTER_LENGTH).describe('Only calls of this tool.').optional(),
});

export const usageErrorsSchema = z
  .looseObject({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    unit: z.enum(['hour', 'day', 'week', 'month']),
    failed: z.int().describe('Failed calls of the period.'),
    keys: z.int().describe('Keys with failed calls.'),
    first_at: z.iso.datetime().nullable(),
    last_at: z.iso.datetime().nullable(),
    counted_from: z.iso
      .datetime()
      .nullable()
      .describe('Set if only the newest 50,000 failed calls were counted: since when.'),
    trend_at: z.array(z.iso.datetime()).describe('When each part of a trend begins; UTC.'),
    errors: z
      .array(
        z.looseObject({
          tool: z.string(),
          error_code: z.string(),
          calls: z.int(),
          keys: z.int().describe('Keys whose calls failed so.'),
          first_at: z.iso.datetime().describe('When the first of these calls ended.'),
          last_at: z.iso.datetime(),
          trend: z.array(z.int()).describe('Calls over the period, in the parts of trend_at.'),
        }),
      )
      .describe('By tool and code, the most frequent first.'),
    errors_left_out: z.int().describe('Rows beyond the first 100.'),
  })
  .meta({ id: 'UsageErrors' });

export type KeySpendInput = z.infer<typeof keySpendInput>;
export type KeySpend = z.infer<typeof keySpendSchema>;
export type UsageErrorsInput = z.infer<typeof usageErrorsInput>;
export type UsageErrors = z.infer<typeof usageErrorsSchema>;
export type UsageSummary = z.infer<typeof usageSummarySchema>;
export type UsageRecord = z.infer<typeof usageRecordSchema>;
export type UsageCallRecord = z.infer<typeof usageCallRecordSchema>;
export type UsageHistory = z.infer<typeof usageHistorySchema>;

/**
 * Shapes for the dashboard, for signed-in users only. The shapes of /v1/usage above are public and
 * may not change.
 */

/** Report periods in UTC; `yesterday` is a calendar day, `mtd` the calendar month to date. */
const reportPeriods = ['24h', 'yesterday', '7d', '30d', '90d', 'mtd', 'all'] as const;

/** Bounds the number of months a report may span. */
const daySchema = z.iso
  .date()
  .refine((day) => day >= '2000' && day < '2200', 'Use a day from 2000-01-01 to 2199-12-31.');

/** Filter of a report. Days are UTC and inclusive, and take precedence over the period. */
export const usageFilterSchema = z.object({
  /** The charged account: `personal` (default), or the slug of a team of the user. */
  billing: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  /** All accounts of the user instead of one, to show what a key charged to whom. */
  every_account: z.boolean().optional(),
  period: z.enum(reportPeriods).optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  key_id: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  tool: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  status: z.enum(['success', 'error']).optional(),
  /** For a team: the member with the keys that made the calls. */
  member: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  tag: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  /** The next three filter lists of calls, not sums. A call or request is found in any period. */
  request_id: z.string().min(1).max(MAX_REQUEST_ID).optional(),
  call_id: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  error_code: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
});

export const usageCallsInput = usageFilterSchema.extend({
  limit: z.int().min(1).max(100).optional(),
  cursor: z.string().min(1).max(200).optional(),
});

export const usageCallInput = z.object({ id: z.string().min(1).max(64) });
export const usageBillingInput = usageFilterSchema.pick({ billing: true });

/** The periods of a list of keys; days are UTC. */
export const keySpendInput = usageBillingInput.extend({ period: z.enum(['30d', '7d', '24h', 'mtd']) });

/** What keys spent in a period, in all accounts that they may charge. Without calls: not listed. */
export const keySpendSchema = z.object({
  from: z.iso.datetime(),
  keys: z.array(z.object({ key_id: z.string(), calls: z.int(), cost_usd: z.number() })),
});

const totalsSchema = z.object({
  calls: z.int(),
  failed: z.int(),
  cost_usd: z.number(),
  raw_cost_usd: z.number(),
  /** Null when filtered by status: the rollups do not split these by outcome. */
  byok_calls: z.int().nullable(),
  avg_latency_ms: z.number().nullable(),
});

export const keyLabelSchema = z.object({
  key_id: z.string(),
  /** `Playground` for a playground key. */
  name: z.string(),
  /** Null if the key was deleted. */
  kind: z.enum(['api', 'playground', 'oauth']).nullable(),
  /** Whether the key belongs to the viewer and has a page they can open. */
  is_yours: z.boolean(),
});

const accountLabelSchema = z.object({
  id: z.string(),
  slug: z.string().nullable(),
  name: z.string(),
});

/** Calls over the report's span, in parts of equal length. */
const trendSchema = z.array(z.int()).max(MAX_TREND_POINTS);

const sumSchema = z.object({ calls: z.int(), failed: z.int(), cost_usd: z.number() });

const seriesSchema = z.object({
  id: z.string(),
  name: z.string(),
  calls: z.array(z.int()),
  cost_usd: z.array(z.number()),
});

export const usageReportSchema = z.object({
  /** The charged account; null for all accounts. */
  account: accountLabelSchema.nullable(),
  from: z.iso.datetime(),
  /** Exclusive end. */
  to: z.iso.datetime(),
  unit: z.enum(['hour', 'day', 'week', 'month']),
  totals: totalsSchema,
  /** Totals of the preceding span of the same length; null if there is none. */
  before: totalsSchema.nullable(),
  by_time: z.array(z.object({ at: z.iso.datetime(), calls: z.int(), cost_usd: z.number() })),
  /**
   * Those with the highest spend and those with the most calls, over the buckets of `by_time`: by
   * tool and key, for a team by member, for all accounts by account, else null.
   */
  series: z.object({
    tool: z.array(seriesSchema),
    key: z.array(seriesSchema),
    member: z.array(seriesSchema).nullable(),
    account: z.array(seriesSchema).nullable(),
  }),
  by_tool: z.array(
    sumSchema.extend({ tool: z.string(), avg_latency_ms: z.number().nullable(), trend: trendSchema }),
  ),
  by_key: z.array(sumSchema.extend({ ...keyLabelSchema.shape, trend: trendSchema })),
  /** Number of keys omitted from `by_key`, which lists the most expensive ones. */
  keys_left_out: z.int(),
  /** By member, for a team; else null. */
  by_member: z.array(sumSchema.extend({ user_id: z.string().nullable(), name: z.string() })).nullable(),
  /** By charged account, for all accounts; else null. */
  by_account: z.array(sumSchema.extend(accountLabelSchema.shape)).nullable(),
  /**
   * Records of single calls exist since this time; older calls are only in the sums. Null if none
   * were removed.
   */
  calls_kept_from: z.iso.datetime().nullable(),
  /** No call was ever charged to the accounts. */
  is_unused: z.boolean(),
});

export const usageCallSchema = usageRecordSchema.extend({
  finished_at: z.iso.datetime(),
  /** The charged account. */
  account: accountLabelSchema,
  key_kind: keyLabelSchema.shape.kind,
  key_is_yours: z.boolean(),
  /** Owner of the key, if it is not the viewer. */
  member: z.string().nullable(),
  /** Null if unknown, or if the viewer may not see it: of other members only admins may. */
  client_address: z.string().nullable(),
});

export const usageCallWithDetailsSchema = usageCallSchema.extend(callDetails);

export const usageCallsSchema = z.object({
  calls: z.array(usageCallSchema),
  next_cursor: z.string().nullable(),
});

/** Filter values of a report. */
export const usageChoicesSchema = z.object({
  tools: z.array(z.string()),
  keys: z.array(keyLabelSchema.extend({ owner: z.string().nullable() })),
  tags: z.array(z.string()),
  /** The members of a team whose keys were used; null for a personal account. */
  members: z.array(z.object({ user_id: z.string(), name: z.string() })).nullable(),
});

/** Onboarding steps and summary figures. */
export const usageOverviewSchema = z.object({
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
export type UsageSeries = z.infer<typeof seriesSchema>;
export type UsageTotals = z.infer<typeof totalsSchema>;
export type UsageCall = z.infer<typeof usageCallSchema>;
export type UsageCallWithDetails = z.infer<typeof usageCallWithDetailsSchema>;
export type CallDetails = Pick<UsageCallWithDetails, keyof typeof callDetails>;
export type UsageCalls = z.infer<typeof usageCallsSchema>;
export type UsageChoices = z.infer<typeof usageChoicesSchema>;
export type UsageOverview = z.infer<typeof usageOverviewSchema>;
