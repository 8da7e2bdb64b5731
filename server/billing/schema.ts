import { z } from 'zod';
import { microusdFromUsd } from './money';

/** A sum of money in a JSON body: finite, at most six decimals, within what the ledger holds. Never coerced. */
export const usdAmountSchema = z
  .number()
  .refine((usd) => microusdFromUsd(usd) !== null, 'Must be dollars with at most six decimals.');

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
      }),
    ),
    top_up_hint: z.string(),
  })
  .meta({ id: 'BillingBalance' });

export type BillingBalance = z.infer<typeof balanceSchema>;
