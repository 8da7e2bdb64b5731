import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { usdAmountSchema } from '../../money/billing/schema';
import { MAX_KEY_NAME_LENGTH } from './limits';

export const keyNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_KEY_NAME_LENGTH)
  .describe('A name for the key, shown in lists and in usage.');

export const apiKeySchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    key_prefix: z.string().describe('The masked key: its first 12 and last 4 characters.'),
    status: z.enum(['active', 'revoked']),
    credits: z.number().nullable().describe('Remaining allowance in dollars; null: no allowance.'),
    credits_used: z.number(),
    manages_account: z
      .boolean()
      .describe(
        'Whether the key may create keys, buy credit and change settings; never true for a key with `credits`.',
      ),
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
        'Returned only in this response: the gateway stores a hash. Omitted when an Idempotency-Key replays the response.',
      ),
  })
  .meta({ id: 'CreatedApiKey' });

export const keyListSchema = z.object({ keys: z.array(apiKeySchema) }).meta({ id: 'ApiKeyList' });

export const createKeyInput = strictInput({
  name: keyNameSchema.optional(),
  credits: usdAmountSchema
    .min(0)
    .optional()
    .describe('An allowance in dollars within the account; omit for no allowance.'),
}).meta({ id: 'CreateKeyRequest', example: { name: 'my agent', credits: 5 } });

export const keyIdInput = z.object({ id: z.string().min(1).max(64).describe('The id of the key.') });

export const addKeyCreditsInput = strictInput(
  {
    id: z.string().min(1).max(64).describe('The id of the key.'),
    amount: usdAmountSchema.positive().describe('Dollars to add to the allowance.'),
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
/** A newly issued key, with its secret. */
export type IssuedApiKey = CreatedApiKey & { secret: string };
