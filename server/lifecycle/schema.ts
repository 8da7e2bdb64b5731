import { z } from 'zod';
import { apiKeySchema } from '../identity/keys/schema';

const windowSchema = z.looseObject({
  name: z.string().describe('minute, hour.'),
  limit: z.int().describe('Calls that the window allows.'),
  remaining: z.int(),
  window_seconds: z.int(),
  reset_seconds: z.int().describe('Until the window ends; its length if no call has started it.'),
});

/** Who makes a request, and what it may do. */
export const meSchema = z
  .looseObject({
    account: z.looseObject({
      id: z.string(),
      type: z.enum(['provisional', 'personal', 'team']),
      slug: z.string().nullable(),
      name: z.string(),
      disputed: z.boolean().describe('A payment is disputed: paid calls are refused.'),
    }),
    plan: z.enum(['provisional', 'prepaid']),
    key: apiKeySchema,
    restricted: z.boolean().describe('The key sees and changes only what it created itself.'),
    limits: z.looseObject({
      plan: z.string().nullable().describe('The plan of the account; null: none.'),
      windows: z.array(windowSchema),
      concurrent: z.looseObject({ limit: z.int(), running: z.int(), remaining: z.int() }),
    }),
    allowances: z.looseObject({
      available_usd: z.number().describe('What the account can spend now.'),
      key_credits_usd: z.number().nullable().describe('What the key may still spend; null: no credit limit.'),
      monthly_limit_usd: z.number().nullable().describe('Per calendar month (UTC); null: no limit.'),
      spent_this_month_usd: z.number(),
      storage: z.looseObject({ used_bytes: z.int(), quota_bytes: z.int(), files: z.int() }),
    }),
  })
  .meta({ id: 'Me' });

export type Me = z.infer<typeof meSchema>;
