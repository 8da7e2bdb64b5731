import { z } from 'zod';
import { mapWindows } from '../../core/limits/limits';
import { microusdFromUsd } from '../../kit/money';
import { MAX_CONCURRENT, MAX_PLAN_NAME_LENGTH, MAX_STORAGE_MIB } from './limits';

const upTo = (max: number) =>
  z.int('Must be a whole number.').min(1, 'Must be at least 1.').max(max, `Must be at most ${max}.`);

/** Limits of an account: calls for each of its keys, storage and monthly limit for all together. */
export const limitsInput = z.object({
  ...mapWindows(({ max }) => upTo(max)),
  concurrent: upTo(MAX_CONCURRENT),
  storage_mib: upTo(MAX_STORAGE_MIB),
  month_limit_max_usd: z
    .number()
    .positive('Must be above 0.')
    .refine((usd) => microusdFromUsd(usd) !== null, 'Must be dollars with at most six decimals.')
    .nullable(),
});

const limitsSchema = z.object({
  ...mapWindows(() => z.int()),
  concurrent: z.int(),
  storage_mib: z.int(),
  month_limit_max_usd: z.number().nullable(),
});

export const accountLimitsSchema = limitsSchema.extend({
  /** Where they come from: the settings of the gateway, a plan, or this account alone. */
  source: z.enum(['gateway', 'plan', 'own']),
  plan: z.object({ id: z.string(), name: z.string() }).nullable(),
});

export const planInput = limitsInput.extend({
  /** Changes this plan; absent: creates one. */
  id: z.string().min(1).max(100).optional(),
  name: z.string().trim().min(1, 'Enter a name.').max(MAX_PLAN_NAME_LENGTH),
});

export const planIdInput = z.object({ id: z.string().min(1).max(100) });

const planSchema = limitsSchema.extend({
  id: z.string(),
  name: z.string(),
  /** Open accounts with this plan. */
  accounts: z.int(),
  created_at: z.iso.datetime(),
});

export const planListSchema = z.object({
  plans: z.array(planSchema),
  /** The limits of accounts without a plan. */
  gateway: limitsSchema,
});

/** What an operator may give an account. */
export const limitsChoiceSchema = z.discriminatedUnion('source', [
  z.object({ source: z.literal('gateway') }),
  z.object({ source: z.literal('plan'), plan_id: z.string().min(1).max(100) }),
  z.object({ source: z.literal('own'), limits: limitsInput }),
]);

export type LimitsInput = z.infer<typeof limitsInput>;
export type PlanInput = z.infer<typeof planInput>;
/** The limits without their source. */
export type Limits = z.infer<typeof limitsSchema>;
export type Plan = z.infer<typeof planSchema>;
export type PlanList = z.infer<typeof planListSchema>;
export type AccountLimits = z.infer<typeof accountLimitsSchema>;
export type LimitsChoice = z.infer<typeof limitsChoiceSchema>;
