import { z } from 'zod';
import { microusdFromUsd } from '../../kit/money';
import { strictInput } from '../../kit/strict-input';

/**
 * A sum of money in a JSON body: finite, at most six decimals, within what the ledger holds. Never
 * coerced.
 */
export const usdAmountSchema = z
  .number()
  .refine(
    (usd) => microusdFromUsd(usd) !== null,
    'Must be dollars with at most six decimals, below a billion.',
  );

export const balanceSchema = z
  .looseObject({
    available_usd: z.number().describe('What can be spent now: balance less what running calls hold.'),
    plan: z.enum(['provisional', 'prepaid']),
    accounts: z.array(
      z.looseObject({
        id: z.string(),
        type: z.enum(['provisional', 'personal', 'team']),
        slug: z.string().nullable(),
        name: z.string(),
        role: z.enum(['owner', 'admin', 'member']),
        available_usd: z.number(),
        disputed: z.boolean().describe('A payment is disputed: calls that cost something wait.'),
      }),
    ),
    top_up_hint: z.string(),
  })
  .meta({ id: 'BillingBalance' });

export type BillingBalance = z.infer<typeof balanceSchema>;

/** Whose money a route is about, where it is not the key's own. */
export const billingChoiceSchema = z
  .string()
  .min(1)
  .max(64)
  .describe('`personal` (the default), `team`, or the slug of a team of yours.')
  .optional();

const usdNote = 'US dollars.';

/** Of a sum that is paid: nothing finer than a cent can be charged. */
export const wholeCents = (schema: z.ZodNumber) =>
  schema.refine((usd) => {
    const micros = microusdFromUsd(usd);
    return micros !== null && micros % 10_000n === 0n;
  }, 'Must be dollars in whole cents.');

/** Credit to buy in a browser: 1 to 10,000 dollars. */
export const purchaseAmountSchema = wholeCents(
  z.number().min(1, 'Must be at least 1 dollar.').max(10_000, 'Must be at most 10,000 dollars.'),
);

export const checkoutInput = strictInput({
  amount_usd: purchaseAmountSchema.describe(
    'Credit to buy, in US dollars and whole cents, 1 to 10,000; the fee comes on top.',
  ),
  save_card: z
    .boolean()
    .optional()
    .describe('The buyer agrees that the card is kept and charged later by auto-reload.'),
  billing: billingChoiceSchema,
}).meta({ id: 'CheckoutRequest', example: { amount_usd: 10 } });

export const checkoutSchema = z
  .looseObject({
    url: z.string().describe('Give this to a person: there the credit is paid.'),
    credit_usd: z.number().describe(usdNote),
    fee_usd: z.number().describe(usdNote),
    total_usd: z.number().describe('What is paid: credit and fee.'),
    order_id: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'Checkout' });

export const portalInput = strictInput({ billing: billingChoiceSchema }).meta({ id: 'PortalRequest' });

export const portalSchema = z
  .looseObject({ url: z.string().describe('A page about payments and the saved card, for a person.') })
  .meta({ id: 'Portal' });

export const preferencesQuery = z.object({ billing: billingChoiceSchema });

export const preferencesInput = strictInput({
  autoReloadEnabled: z.boolean().optional(),
  autoReloadThreshold: usdAmountSchema
    .min(0, 'Must not be negative.')
    .max(10_000, 'Must be at most 10,000 dollars.')
    .optional(),
  autoReloadAmount: wholeCents(
    z.number().min(1, 'Must be at least 1 dollar.').max(500, 'Must be at most 500 dollars.'),
  )
    .optional()
    .describe('At least `autoReloadThreshold`, so that one reload lifts the balance over it.'),
  autoReloadDailyLimit: usdAmountSchema
    .min(1, 'Must be at least 1 dollar.')
    .max(5_000, 'Must be at most 5,000 dollars.')
    .optional()
    .describe('The most credit that auto-reload buys in 24 hours, at least `autoReloadAmount`.'),
  budgetLimit: usdAmountSchema
    .min(0, 'Must not be negative.')
    .nullable()
    .optional()
    .describe('Null removes the limit.'),
  billing: billingChoiceSchema,
}).meta({ id: 'PreferencesUpdate', example: { budgetLimit: 50 } });

export const preferencesSchema = z
  .looseObject({
    autoReloadEnabled: z.boolean(),
    autoReloadThreshold: z.number().describe('A settled call that leaves less than this starts a reload.'),
    autoReloadAmount: z.number().describe('Credit that one reload buys; the fee comes on top.'),
    autoReloadDailyLimit: z
      .number()
      .describe(
        'The most credit that auto-reload buys in 24 hours; it also makes at most 3 charges an hour and 10 in 24 hours.',
      ),
    budgetLimit: z
      .number()
      .nullable()
      .describe('The most that is spent in a calendar month (UTC); null: no limit.'),
    spent_this_month_usd: z.number(),
    saved_card: z
      .object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })
      .nullable()
      .describe('What a reload charges; null: nothing is charged.'),
    auto_reload_stopped_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When declined charges or a cap switched auto-reload off; null once it has been switched on again.',
      ),
    auto_reload_stopped_reason: z
      .enum(['declined', 'hourly_cap', 'daily_cap', 'daily_limit'])
      .nullable()
      .describe(
        'Why: three declines in a row, three charges in an hour, ten in a day, or `autoReloadDailyLimit`.',
      ),
  })
  .meta({ id: 'Preferences' });

/** How this gateway sells credit, for the dashboard. */
export const purchaseTermsSchema = z.object({
  /** `standin` is pretend money; `none`: the operator grants credit. */
  mode: z.enum(['live', 'test', 'standin', 'none']),
  min_usd: z.number(),
  max_usd: z.number(),
  fee_percent: z.number(),
  fee_min_usd: z.number(),
});

export const quoteInput = z.object({ amount_usd: purchaseAmountSchema });
export const quoteSchema = z.object({ credit_usd: z.number(), fee_usd: z.number(), total_usd: z.number() });

export const orderInput = z.object({ order_id: z.string().min(1).max(64) });

/** How a purchase stands; what the success page waits on. */
export const orderSchema = z.object({
  order_id: z.string(),
  /** `open`: not paid yet. `processing`: paid by a way that takes its time. */
  status: z.enum(['open', 'processing', 'paid', 'failed', 'expired']),
  kind: z.enum(['checkout', 'reload', 'machine']),
  credit_usd: z.number(),
  fee_usd: z.number(),
  total_usd: z.number(),
  /** Where it can still be paid. */
  url: z.string().nullable(),
  /** The account that is credited, and what it can spend now. */
  account: z.object({ id: z.string(), name: z.string(), slug: z.string().nullable() }),
  available_usd: z.number(),
  payment_id: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export const ledgerKinds = ['call', 'grant', 'claim', 'purchase', 'refund', 'dispute'] as const;

/** PostgreSQL knows no year 0. */
const daySchema = z.iso.date().refine((day) => !day.startsWith('0000'), 'Must be a day of the calendar.');

export const statementInput = z.object({
  billing: billingChoiceSchema,
  /** Calendar days, UTC, both included. */
  from: daySchema.optional(),
  to: daySchema.optional(),
  kind: z.enum(ledgerKinds).optional(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});

/** One movement of money, newest first. */
export const statementLineSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(ledgerKinds),
  /** In words: `diagnostics.spend`, `Credit bought with Visa •••• 4242`. */
  description: z.string(),
  /** What caused it: a call, a payment, a grant's reference, an account. */
  ref: z.string(),
  /** Of a purchase, refund or dispute: its receipt. */
  payment_id: z.string().nullable(),
  /** Signed: positive is credit into the account. */
  amount_usd: z.number(),
  /** Of the account after it: credit less debt. */
  balance_usd: z.number(),
});

export const statementSchema = z.object({
  account: z.object({ id: z.string(), name: z.string(), slug: z.string().nullable() }),
  /** Now: credit less debt; held by running calls and still in it. */
  balance_usd: z.number(),
  held_usd: z.number(),
  debt_usd: z.number(),
  /** A payment is disputed: calls that cost something wait. */
  disputed: z.boolean(),
  lines: z.array(statementLineSchema),
  next_cursor: z.string().nullable(),
});

export const receiptInput = z.object({ payment_id: z.string().min(1).max(128) });

export const receiptSchema = z.object({
  payment_id: z.string(),
  order_id: z.string(),
  paid_at: z.iso.datetime(),
  paid_with: z.string().nullable(),
  kind: z.enum(['checkout', 'reload', 'machine']),
  mode: z.enum(['live', 'test', 'standin', 'sandbox']),
  account: z.object({ id: z.string(), name: z.string(), slug: z.string().nullable() }),
  credit_usd: z.number(),
  fee_usd: z.number(),
  total_usd: z.number(),
  refunded_usd: z.number(),
  disputed_usd: z.number(),
  /** Credit that refunds and disputes took back. */
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
export type Receipt = z.infer<typeof receiptSchema>;
export type PaymentList = z.infer<typeof paymentListSchema>;
