import { z } from 'zod';
import type { ErrorCode } from './catalogue';
import { ERROR_CODES } from './catalogue';

export const providerKeySchema = z
  .object({
    name: z.string().describe('The provider, as in GET /v1/requirements.'),
    displayName: z.string(),
    acquireUrl: z.string().describe('Where to get a key.'),
    header: z.string().describe('The header that carries the key in a call.'),
  })
  .describe('A key of a provider that a caller can bring.');

export type ProviderKey = z.infer<typeof providerKeySchema>;

/** The response body of every failure under /v1 (contract section 3). */
export const errorBodySchema = z
  .looseObject({
    status: z.literal('error'),
    error: z.looseObject({
      code: z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]).describe('Stable; branch on this.'),
      message: z.string().describe('For people; may change.'),
      type: z.enum(['auth', 'billing', 'rate_limit', 'validation', 'provider', 'not_found', 'server']),
      resolution_hint: z.string().describe('What to do next.'),
      doc_url: z.string().optional().describe('The documentation of this code.'),
      retry_after: z.int().min(0).optional().describe('Whole seconds, the same as Retry-After.'),
      billed: z.boolean().optional().describe('On tool calls: whether anything was charged.'),
      request_id: z.string().optional(),
      call_id: z
        .string()
        .optional()
        .describe('On a call that started: its id, for GET /v1/usage/calls/{call_id}.'),
      claim_url: z
        .string()
        .optional()
        .describe(
          'On CLAIM_REQUIRED and on a call paid for without a key: where a person claims the account.',
        ),
      api_key: z
        .string()
        .optional()
        .describe('On a call paid for without a key: the key that holds what was paid.'),
      fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      limit: z.string().optional().describe('The limit that was exceeded.'),
      top_up: z.object({ url: z.string() }).optional(),
      quote: z
        .looseObject({
          max_usd: z.number(),
          id: z.string().optional(),
          expires_at: z.iso.datetime().optional(),
        })
        .optional()
        .describe('On COST_LIMIT_EXCEEDED: the most that the call, or the batch, can cost.'),
      cost_fields: z
        .array(z.string())
        .optional()
        .describe('On COST_LIMIT_EXCEEDED: the input fields that set the price.'),
      missing: z
        .array(providerKeySchema)
        .optional()
        .describe('On MISSING_CREDENTIALS: the provider keys, any one of which is sufficient.'),
    }),
  })
  .meta({ id: 'Error', description: 'The response body of every failure.' });

export type ErrorBody = z.infer<typeof errorBodySchema>;
