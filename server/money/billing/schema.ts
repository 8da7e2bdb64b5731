import { z } from 'zod';
import { microusdFromUsd } from '../../kit/money';
import { strictInput } from '../../kit/strict-input';
import {
  type AmountBounds,
  DAILY_RELOAD_BOUNDS,
  MAX_THRESHOLD_USD,
  PURCHASE_BOUNDS,
  RELOAD_BOUNDS,
} from './limits';

/**
 * An amount of dollars in a JSON body: finite, with at most six decimals, and within the ledger's
 * range. Never coerced.
 */
export const usdAmountSchema = z
  .number()
  .refine(
    (usd) => microusdFromUsd(usd) !== null,
    'Must be an amount in dollars with at most six decimals, below one billion.',
  );

export const balanceSchema = z
  .looseObject({
    available_usd: z
      .number()
      .describe('What can be spent now: the balance minus the holds of running calls.'),
    debt_usd: z
      .number()
      .optional()
      .describe(
        'What a refund or a lost dispute left to pay; the next credit pays it first. Absent if there is none.',
      ),
    plan: z.enum(['provisional', 'prepaid']),
    accounts: z.array(
      z.looseObject({
        id: z.string(),
        type: z.enum(['provisional', 'personal', 'team']),
        slug: z.string().nullable(),
        name: z.string(),
        role: z.enum(['owner', 'admin', 'member']),
        available_usd: z.number(),
        debt_usd: z.number().optional(),
        disputed: z.boolean().describe('A payment is disputed: paid calls are refused.'),
      }),
    ),
    top_up_hint: z.string(),
  })
  .meta({ id: 'BillingBalance' });

export type BillingBalance = z.infer<typeof balanceSchema>;

/** Selects the account of a route, if it is not the key's own. */
export const billingChoiceSchema = z
  .string()
  .min(1)
  .max(64)
  .describe('`personal` (the default), `team`, or the slug of one of your teams.')
  .optional();

const usdNote = 'US dollars.';

/** For amounts that are charged: nothing finer than a cent can be. */
export const wholeCents = (schema: z.ZodNumber) =>
  schema.refine((usd) => {
    const micros = microusdFromUsd(usd);
    return micros !== null && micros % 10_000n === 0n;
  }, 'Must be dollars in whole cents.');

const atMost = (usd: number) => `Must be at most ${usd.toLocaleString('en-US')} dollars.`;

const within = (schema: z.ZodNumber, { min_usd, max_usd }: AmountBounds) =>
  schema.min(min_usd, `Must be at least ${min_usd} dollar.`).max(max_usd, atMost(max_usd));

/** Credit to buy in a browser. */
export const purchaseAmountSchema = wholeCents(within(z.number(), PURCHASE_BOUNDS));

export const checkoutInput = strictInput({
  amount_usd: purchaseAmountSchema.describe(
    'Credit to buy, in US dollars and whole cents, 1 to 10,000; the fee is added.',
  ),
  save_card: z
    .boolean()
    .optional()
    .describe('The buyer agrees that the card is saved and charged later by auto-recharge.'),
  billing: billingChoiceSchema,
}).meta({ id: 'CheckoutRequest', example: { amount_usd: 10 } });

export const checkoutSchema = z
  .looseObject({
    url: z.string().describe('The payment page: give this URL to a person.'),
    credit_usd: z.number().describe(usdNote),
    fee_usd: z.number().describe(usdNote),
    total_usd: z.number().describe('The amount charged: credit plus fee.'),
    order_id: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'Checkout' });

export const portalInput = strictInput({ billing: billingChoiceSchema }).meta({ id: 'PortalRequest' });

export const portalSchema = z
  .looseObject({ url: z.string().describe('A page for a person to manage payments and the saved card.') })
  .meta({ id: 'Portal' });

export const preferencesQuery = z.object({ billing: billingChoiceSchema });

export const preferencesInput = strictInput({
  autoReloadEnabled: z.boolean().optional(),
  autoReloadThreshold: usdAmountSchema
    .min(0, 'Must not be negative.')
    .max(MAX_THRESHOLD_USD, atMost(MAX_THRESHOLD_USD))
    .optional(),
  autoReloadAmount: wholeCents(within(z.number(), RELOAD_BOUNDS))
    .optional()
    .describe('Less than `autoReloadThreshold` may need several reloads: three an hour at most.'),
  autoReloadDailyLimit: within(usdAmountSchema, DAILY_RELOAD_BOUNDS)
    .optional()
    .describe('The most credit that auto-recharge buys in 24 hours, at least `autoReloadAmount`.'),
  budgetLimit: usdAmountSchema
    .min(0, 'Must not be negative.')
    .nullable()
    .optional()
    .describe('Null removes the limit.'),
  budgetAlerts: z
    .boolean()
    .optional()
    .describe('Email the owner and admins at 50, 80 and 100% of `budgetLimit`.'),
  billing: billingChoiceSchema,
}).meta({ id: 'PreferencesUpdate', example: { budgetLimit: 50 } });

export const preferencesSchema = z
  .looseObject({
    autoReloadEnabled: z.boolean(),
    autoReloadThreshold: z.number().describe('A call that leaves less than this starts a reload.'),
    autoReloadAmount: z.number().describe('Credit that one reload buys; the fee is added.'),
    autoReloadDailyLimit: z
      .number()
      .describe(
        'The most credit that auto-recharge buys in 24 hours; it also makes at most 3 charges an hour and 10 in 24 hours.',
      ),
    budgetLimit: z
      .number()
      .nullable()
      .describe('Maximum spending in a calendar month (UTC); null: no limit.'),
    budgetLimitMax: z
      .number()
      .nullable()
      .describe('The highest monthly limit that the operator allows; null: any, or none.'),
    spent_this_month_usd: z.number(),
    spending_resets_at: z.iso.datetime().describe('When the next month (UTC) begins.'),
    budgetAlerts: z
      .boolean()
      .describe(
        'Whether the owner and admins get an email at 50, 80 and 100% of `budgetLimit`, and when a limit of a key, or of a member, begins to refuse calls.',
      ),
    saved_card: z
      .object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })
      .nullable()
      .describe('The card that a reload charges; null: no card, so no charges.'),
    auto_reload_stopped_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When declined charges or a cap switched auto-recharge off; null once it is switched on again.',
      ),
    auto_reload_stopped_reason: z
      .enum(['declined', 'hourly_cap', 'daily_cap', 'daily_limit'])
      .nullable()
      .describe(
        'The reason: three declines in a row, three charges in an hour, ten in a day, or `autoReloadDailyLimit`.',
      ),
  })
  .meta({ id: 'Preferences' });

/** How this gateway sells credit, for the dashboard. */
export const purchaseTermsSchema = z.object({
  /** `fake` is test mode with a fake Stripe; `none`: only the operator grants credit. */
  mode: z.enum(['live', 'test', 'fake', 'none']),
  min_usd: z.number(),
  max_usd: z.number(),
  fee_percent: z.number(),
  fee_min_usd: z.number(),
});

export const quoteInput = z.object({ amount_usd: purchaseAmountSchema });
export const quoteSchema = z.object({ credit_usd: z.number(), fee_usd: z.number(), total_usd: z.number() });

export const orderInput = z.object({ order_id: z.string().min(1).max(64) });

/** The state of a purchase, which the success page polls. */
export const orderSchema = z.object({
  order_id: z.string(),
  /** `open`: not paid yet. `processing`: paid with a method that takes time to complete. */
  status: z.enum(['open', 'processing', 'paid', 'failed', 'expired']),
  kind: z.enum(['checkout', 'reload', 'machine']),
  credit_usd: z.number(),
  fee_usd: z.number(),
  total_usd: z.number(),
  /** The payment page, while the order can be paid. */
  url: z.string().nullable(),
  /** The credited account, and what it can spend now. */
  account: z.object({ id: z.string(), name: z.string(), slug: z.string().nullable() }),
  available_usd: z.number(),
  payment_id: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export const ledgerKinds = ['call', 'grant', 'claim', 'purchase', 'refund', 'dispute'] as const;

/** PostgreSQL has no year 0. */
const daySchema = z.iso.date().refine((day) => !day.startsWith('0000'), 'Must be a valid calendar day.');

export const statementInput = z.object({
  billing: billingChoiceSchema,
  /** Calendar days in UTC, both inclusive. */
  from: daySchema.optional(),
  to: daySchema.optional(),
  kind: z.enum(ledgerKinds).optional(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});

/** One movement of money. */
export const statementLineSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(ledgerKinds),
  /** For people: `diagnostics.spend`, `Credit bought with Visa •••• 4242`. */
  description: z.string(),
  /** The cause: a call, a payment, a grant's reference or an account. */
  ref: z.string(),
  /** The receipt of a purchase, refund or dispute. */
  payment_id: z.string().nullable(),
  /** Signed; positive is credit for the account. */
  amount_usd: z.number(),
  /** The account's balance after it: credit minus debt. */
  balance_usd: z.number(),
});

export const statementSchema = z.object({
  account: z.object({ id: z.string(), name: z.string(), slug: z.string().nullable() }),
  /** The current balance, credit minus debt, including what running calls hold. */
  balance_usd: z.number(),
  held_usd: z.number(),
  debt_usd: z.number(),
  /** A payment is disputed: paid calls are refused. */
  disputed: z.boolean(),
  lines: z.array(statementLineSchema),
  next_cursor: z.string().nullable(),
});

export const dayStatementInput = statementInput.extend({ limit: z.int().min(1).max(100).default(30) });

/** The calls of one day (UTC), booked at its end. */
const callsRowSchema = z.object({
  type: z.literal('calls'),
  day: z.iso.date(),
  calls: z.int(),
  amount_usd: z.number(),
  balance_usd: z.number(),
  /** Where the list of its single calls begins. */
  calls_cursor: z.string(),
});

export const dayStatementSchema = z.object({
  rows: z.array(
    z.discriminatedUnion('type', [callsRowSchema, statementLineSchema.extend({ type: z.literal('entry') })]),
  ),
  next_cursor: z.string().nullable(),
});

export const dayCallsInput = z.object({
  billing: billingChoiceSchema,
  cursor: z.string().max(200),
  limit: z.int().min(1).max(200).default(50),
});
export const dayCallsSchema = z.object({
  lines: z.array(statementLineSchema),
  next_cursor: z.string().nullable(),
});

export const receiptInput = z.object({ payment_id: z.string().min(1).max(128) });

export const receiptSchema = z.object({
  payment_id: z.string(),
  /** For people: `R-000123`; null for a payment made before receipts had numbers. */
  receipt_number: z.string().nullable(),
  order_id: z.string(),
  paid_at: z.iso.datetime(),
  paid_with: z.string().nullable(),
  kind: z.enum(['checkout', 'reload', 'machine']),
  mode: z.enum(['live', 'test', 'fake', 'sandbox', 'x402']),
  account: z.object({ id: z.string(), name: z.string(), slug: z.string().nullable() }),
  credit_usd: z.number(),
  fee_usd: z.number(),
  total_usd: z.number(),
  refunded_usd: z.number(),
  disputed_usd: z.number(),
  /** Whether a bank has yet to decide. */
  dispute_open: z.boolean(),
  /** Credit taken back by refunds and disputes. */
  credit_taken_back_usd: z.number(),
});

export const paymentListInput = z.object({
  billing: billingChoiceSchema,
  cursor: z.string().min(1).max(128).optional(),
});
export const paymentListSchema = z.object({
  payments: z.array(receiptSchema),
  next_cursor: z.string().nullable(),
});

export type Checkout = z.infer<typeof checkoutSchema>;
export type Preferences = z.infer<typeof preferencesSchema>;
export type PreferencesUpdate = z.infer<typeof preferencesInput>;
export type PurchaseTerms = z.infer<typeof purchaseTermsSchema>;
export type Quote = z.infer<typeof quoteSchema>;
export type OrderStatus = z.infer<typeof orderSchema>;
export type Statement = z.infer<typeof statementSchema>;
export type StatementLine = z.infer<typeof statementLineSchema>;
export type DayStatement = z.infer<typeof dayStatementSchema>;
export type DayRow = DayStatement['rows'][number];
export type CallsRow = z.infer<typeof callsRowSchema>;
export type DayCalls = z.infer<typeof dayCallsSchema>;
export type Receipt = z.infer<typeof receiptSchema>;
