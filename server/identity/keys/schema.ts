import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { usdAmountSchema } from '../../money/billing/schema';

export const keyNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('What you call the key; shown in lists and in usage.');

export const apiKeySchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    key_prefix: z.string().describe('The mask: first 12 and last 4 characters.'),
    status: z.enum(['active', 'revoked']),
    credits: z.number().nullable().describe('What the key may still spend; null: no limit of its own.'),
    credits_used: z.number(),
    manages_account: z
      .boolean()
      .describe('Whether it may create keys, buy credit and change settings; a key with `credits` may not.'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' });

export const createdKeySchema = apiKeySchema
  .extend({
    secret: z
      .string()
      .optional()
      .describe(
        'Shown once, here; we keep only its hash. Not in an answer that an Idempotency-Key gives again.',
      ),
  })
  .meta({ id: 'CreatedApiKey' });

export const keyListSchema = z.object({ keys: z.array(apiKeySchema) }).meta({ id: 'ApiKeyList' });

export const createKeyInput = strictInput({
  name: keyNameSchema.optional(),
  credits: usdAmountSchema
    .min(0)
    .optional()
    .describe('An allowance in dollars inside the account; leave out for no limit of its own.'),
}).meta({ id: 'CreateKeyRequest', example: { name: 'my agent', credits: 5 } });

export const keyIdInput = z.object({ id: z.string().min(1).max(64).describe('The id of the key.') });

export const addKeyCreditsInput = strictInput(
  {
    id: z.string().min(1).max(64).describe('The id of the key.'),
    amount: usdAmountSchema.positive().describe('Dollars to add to the allowance of the key.'),
  },
  ['id'],
).meta({ example: { amount: 5 } });

export const renameKeyInput = z.object({ id: z.string().min(1).max(64), name: keyNameSchema });

export const managesAccountInput = z.object({ id: z.string().min(1).max(64), manages_account: z.boolean() });

export const revokedKeySchema = z
  .object({ success: z.literal(true), id: z.string() })
  .meta({ id: 'RevokedKey' });

export type ApiKey = z.infer<typeof apiKeySchema>;
export type CreatedApiKey = z.infer<typeof createdKeySchema>;
/** A key that was issued just now: whoever sees it sees its secret. */
export type IssuedApiKey = CreatedApiKey & { secret: string };
