import { z } from 'zod';
import { normalizeNetwork } from '../../core/limits/key-rules';
import { CALL_WINDOWS, mapWindows } from '../../core/limits/limits';
import { strictInput } from '../../kit/strict-input';
import { usdAmountSchema } from '../../money/billing/schema';
import {
  MAX_ALLOWED_IPS,
  MAX_ALLOWED_TOOLS,
  MAX_GRACE_SECONDS,
  MAX_KEY_NAME_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
} from './limits';

export const keyNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_KEY_NAME_LENGTH)
  .describe('A name for the key, shown in lists and in usage.');

const spendPeriodSchema = z
  .enum(['day', 'week', 'month'])
  .describe('A calendar period in UTC; weeks begin on Monday.');

const rateLimitSchema = z
  .int()
  .min(1)
  .nullable()
  .optional()
  .describe('At most the limit of the account; null or omitted: that limit.');

const WINDOW_FIELDS = CALL_WINDOWS.map(({ field }) => field);

/** The windows, and the calls at once. */
const COUNT = ['two', 'three', 'four'][CALL_WINDOWS.length - 1];

const keyRulesShape = {
  expires_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .describe('When the key stops working; null: never.'),
  allowed_tools: z
    .array(z.string().min(1).max(129))
    .min(1)
    .max(MAX_ALLOWED_TOOLS)
    .nullable()
    .optional()
    .describe('The only tools the key may call, as `tool` or `tool.skill`; null: all.'),
  allowed_ips: z
    .array(
      z
        .string()
        .max(64)
        .refine((network) => normalizeNetwork(network) !== null, {
          error: 'Must be a network like 203.0.113.0/24 or 2001:db8::/32, or an address.',
        }),
    )
    .min(1)
    .max(MAX_ALLOWED_IPS)
    .nullable()
    .optional()
    .describe('The only networks the key may be used from, as CIDR; null: all.'),
  spend_limit: strictInput({
    amount_usd: usdAmountSchema.positive().describe('Dollars per period.'),
    period: spendPeriodSchema,
  })
    .nullable()
    .optional()
    .describe(
      'The most that calls of the key may cost in a calendar period; null: no limit. A call counts in the period in which it begins.',
    ),
  rate_limits: strictInput({
    ...mapWindows(() => rateLimitSchema),
    concurrent: rateLimitSchema,
  })
    .nullable()
    .optional()
    .describe(`Lower limits than those of the gateway; null: its limits. Replaces all ${COUNT}.`),
  tags: z
    .array(z.string().trim().min(1).max(MAX_TAG_LENGTH))
    .max(MAX_TAGS)
    .optional()
    .describe('Labels to filter usage by; they change no rights.'),
};

export const apiKeySchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    key_prefix: z.string().describe('The masked key: its first 12 and last 4 characters.'),
    status: z.enum(['active', 'revoked']),
    credits: z.number().nullable().describe('What is left of its credit limit, in dollars; null: no limit.'),
    credits_used: z.number(),
    manages_account: z
      .boolean()
      .describe(
        'Whether the key may create keys, buy credit and change settings; never true for a key with `credits` or rules.',
      ),
    expires_at: z.iso.datetime().nullable().describe('When the key stops working; null: never.'),
    expired: z.boolean(),
    allowed_tools: z
      .array(z.string())
      .nullable()
      .describe('The only tools the key may call, as `tool` or `tool.skill`; null: all.'),
    allowed_ips: z
      .array(z.string())
      .nullable()
      .describe('The only networks the key may be used from, as CIDR; null: all.'),
    spend_limit: z
      .object({
        amount_usd: z.number(),
        period: spendPeriodSchema,
        spent_usd: z.number().describe('Spent or held in the current period.'),
        resets_at: z.iso.datetime(),
      })
      .nullable(),
    rate_limits: z
      .object({
        ...mapWindows(() => z.int().nullable()),
        concurrent: z.int().nullable(),
      })
      .nullable()
      .describe('Limits lower than those of the gateway; null: its limits.'),
    tags: z.array(z.string()),
    previous_secret_expires_at: z.iso
      .datetime()
      .nullable()
      .describe('Until when the secret before the last rotation works; null: it does not.'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .describe('When its last call ended; refused calls and other requests do not count.'),
  })
  .meta({ id: 'ApiKey' });

export const createdKeySchema = apiKeySchema
  .extend({
    secret: z
      .string()
      .optional()
      .describe(
        'Returned only in this response: the gateway stores a hash. Omitted when an Idempotency-Key replays the response.',
      ),
  })
  .meta({ id: 'CreatedApiKey' });

export const keyListSchema = z.object({ keys: z.array(apiKeySchema) }).meta({ id: 'ApiKeyList' });

const ownerSchema = z
  .string()
  .min(1)
  .max(64)
  .describe('The account of the keys: personal (the default), team, or the slug of a team.')
  .optional();

export const keyListInput = z.object({ billing: ownerSchema });

export const createKeyInput = strictInput({
  name: keyNameSchema.optional(),
  credits: usdAmountSchema
    .min(0)
    .optional()
    .describe('A credit limit: the most the key may spend in total, in dollars. Omit it for no limit.'),
  billing: ownerSchema,
  ...keyRulesShape,
}).meta({ id: 'CreateKeyRequest', example: { name: 'my agent', credits: 5 } });

export const updateKeyInput = strictInput(
  {
    id: z.string().min(1).max(64).describe('The id of the key.'),
    name: keyNameSchema.optional(),
    ...keyRulesShape,
  },
  ['id'],
).meta({
  example: {
    allowed_tools: ['text', 'qrcode.generate'],
    spend_limit: { amount_usd: 5, period: 'day' },
    tags: ['staging'],
  },
});

export const rotateKeyInput = strictInput(
  {
    id: z.string().min(1).max(64).describe('The id of the key.'),
    grace_seconds: z
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .optional()
      .describe('How long the current secret works on; 0 or omitted: not at all.'),
  },
  ['id'],
).meta({ example: { grace_seconds: 3600 } });

export const keyIdInput = z.object({ id: z.string().min(1).max(64).describe('The id of the key.') });

export const addKeyCreditsInput = strictInput(
  {
    id: z.string().min(1).max(64).describe('The id of the key.'),
    amount: usdAmountSchema.positive().describe('Dollars to add to the credit limit.'),
  },
  ['id'],
).meta({ example: { amount: 5 } });

export const creditLimitInput = z.object({
  id: z.string().min(1).max(64),
  /** In total, with what the key has used; null: no limit. */
  credit_limit_usd: usdAmountSchema.min(0).nullable(),
});

export const managesAccountInput = z.object({ id: z.string().min(1).max(64), manages_account: z.boolean() });

/** Of a key, or of a new one in the person's account or a team. */
export const keyLimitsInput = z.object({ id: z.string().min(1).max(64).optional(), billing: ownerSchema });

/** A key on its page in the dashboard. */
export const keyPageSchema = z.object({
  key: apiKeySchema,
  /** The team that owns it, with the viewer's role; null for a key of their own. */
  team: z
    .object({ slug: z.string(), name: z.string(), role: z.enum(['owner', 'admin', 'member']) })
    .nullable(),
  /** False also for the keys of the playground and of applications. */
  can_change: z.boolean(),
  windows: z.array(
    z.object({
      /** `a minute` */
      per: z.string(),
      /** Of `rate_limits`. */
      field: z.enum(WINDOW_FIELDS),
      limit: z.int(),
      remaining: z.int(),
      reset_seconds: z.int(),
    }),
  ),
  concurrent: z.object({ limit: z.int(), running: z.int(), remaining: z.int() }),
});

export const revokedKeySchema = z
  .object({ success: z.literal(true), id: z.string() })
  .meta({ id: 'RevokedKey' });

/** Rules as a request sends them: undefined keeps, null removes. */
export type KeyRulesInput = Omit<z.infer<typeof updateKeyInput>, 'id' | 'name'>;
export type KeyPage = z.infer<typeof keyPageSchema>;
export type KeyLimitsInput = z.infer<typeof keyLimitsInput>;
export type CreditLimitInput = z.infer<typeof creditLimitInput>;
export type ApiKey = z.infer<typeof apiKeySchema>;
export type CreatedApiKey = z.infer<typeof createdKeySchema>;
/** A newly issued key, with its secret. */
export type IssuedApiKey = CreatedApiKey & { secret: string };
