import { z } from 'zod';
import { availabilitySchema } from '../catalog/tools/schema';
import { providerKeySchema } from '../core/errors/schema';
import { acceptJsonText } from '../kit/lenient-input';
import { strictInput } from '../kit/strict-input';
import { usdAmountSchema } from '../money/billing/schema';
import { webhookUrlSchema } from '../notifications/webhooks/schema';
import { callResultSchema } from './result/schema';

const NO_OBJECT =
  'must be an object. A text must be the JSON of one, not too large, and without numbers that would lose digits.';

export const callInput = strictInput({
  tool: z.string().min(1).max(64).describe('The name of the tool.'),
  skill: z.string().min(1).max(64).describe('The name of the skill.'),
  input: acceptJsonText(
    z
      .record(z.string(), z.unknown(), {
        error: ({ input }) => (typeof input === 'string' ? NO_OBJECT : undefined),
      })
      .describe("An object that matches the skill's input schema."),
  ),
  billing: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'The account to charge: personal (the default), team, or the slug of a team. A key of a team charges that team; leave it out.',
    ),
  dry_run: z.boolean().optional().describe('Check and price the call without running or charging it.'),
  max_cost_usd: usdAmountSchema
    .min(0, 'Must not be negative.')
    .optional()
    .describe('The most that the call may cost, in dollars. If its quote is higher, the call is refused.'),
  quote_id: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      'The id of a quote from a dry run of the same call: the call is charged at its prices, within ten minutes.',
    ),
  webhook: webhookUrlSchema
    .optional()
    .describe(
      'An https URL that receives the end of the job, if the call becomes one (202). Signed with the secret of GET /v1/webhooks/secret.',
    ),
}).meta({
  id: 'ToolCallRequest',
  example: { tool: 'math', skill: 'evaluate', input: { expression: '2 * (3 + 4)' } },
});

export const jobEventsInput = z.object({
  jobId: z.string().min(1).max(64).describe('The job_id of `started` or of a 202 response.'),
  last_event_id: z
    .string()
    .max(64)
    .describe('For clients that cannot send the header Last-Event-ID, which takes precedence.')
    .optional(),
});

export const MAX_BATCH = 10;

export const batchInput = strictInput({
  calls: z
    .array(callInput.pick({ tool: true, skill: true, input: true, max_cost_usd: true, quote_id: true }))
    .min(1, 'Must have at least one call.')
    .max(MAX_BATCH, `Must have at most ${MAX_BATCH} calls.`)
    .describe('One to ten calls. They run in parallel; the results are in the same order.'),
  billing: callInput.shape.billing,
  max_cost_usd: callInput.shape.max_cost_usd.describe(
    'The most that all calls may cost together, in dollars. If the sum of their quotes is higher, none runs.',
  ),
}).meta({
  id: 'BatchRequest',
  example: {
    calls: [
      { tool: 'math', skill: 'evaluate', input: { expression: '2 * (3 + 4)' } },
      { tool: 'diagnostics', skill: 'echo', input: { message: 'hello' } },
    ],
  },
});

export const batchResultSchema = z
  .looseObject({
    results: z.array(callResultSchema).describe('One result per call, in the order of the calls.'),
  })
  .meta({ id: 'BatchResult' });

export const quoteSchema = z
  .looseObject({
    id: z.string().describe('Send it as quote_id with the same call.'),
    max_usd: z.number().describe('The most that the call can cost.'),
    expires_at: z.iso.datetime().describe('Ten minutes after the dry run.'),
  })
  .meta({ id: 'Quote', description: 'The prices of a call, valid for ten minutes.' });

export const dryRunResultSchema = z
  .looseObject({
    status: z.literal('dry_run').describe('No result of a call has this status.'),
    valid: z.boolean(),
    input_valid: z.boolean(),
    input_errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
    credentials_ok: z.boolean(),
    missing_credentials: z.array(providerKeySchema).describe('Any one of these keys is enough.'),
    billing: z.looseObject({ balance_usd: z.number(), sufficient: z.boolean() }),
    rate_limit: z.looseObject({ remaining: z.int(), limit: z.int() }),
    estimated_cost_usd: z.number(),
    quote: quoteSchema
      .optional()
      .describe('Absent if the input is invalid, a provider key is missing, or the key must be claimed.'),
    within_max_cost: z
      .boolean()
      .optional()
      .describe('With max_cost_usd: whether the call can cost at most that.'),
    availability: availabilitySchema.describe('Of this call, with the provider keys that you sent or saved.'),
    unavailable_reason: z.string().optional().describe('Why `availability` is unavailable.'),
    claim_required: z.boolean().describe('Whether a person must claim the key before this call can run.'),
    claim_url: z.string().optional().describe('With claim_required: the link for that person.'),
  })
  .meta({ id: 'DryRunResult', description: 'The response to a call with dry_run: true.' });

export const callResponseSchema = z
  .union([callResultSchema, dryRunResultSchema])
  .meta({ id: 'ToolCallResponse', description: 'A ToolCallResult; with dry_run, a DryRunResult.' });

export type CallInput = z.infer<typeof callInput>;
export type BatchInput = z.infer<typeof batchInput>;
export type BatchResult = z.infer<typeof batchResultSchema>;
export type Quote = z.infer<typeof quoteSchema>;
export type DryRunResult = z.infer<typeof dryRunResultSchema>;
