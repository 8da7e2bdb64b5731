import { z } from 'zod';
import { MAX_FILTER_LENGTH } from './limits';
import { keyLabelSchema, usageErrorsInput } from './schema';

export const usageRefusalsInput = usageErrorsInput.extend({
  error_code: z
    .string()
    .min(1)
    .max(MAX_FILTER_LENGTH)
    .describe('Only calls that were refused with this code.')
    .optional(),
});

const refusedSchema = {
  refused: z.int(),
  last_at: z.iso.datetime().describe('When the last of these calls was refused.'),
};

const refusedKeySchema = z.looseObject({
  key_id: z.string().nullable().describe('Null for calls without a key, and for those beyond the bounds.'),
  name: z.string(),
  ...refusedSchema,
});

const refusalSchema = z.looseObject({
  id: z.string(),
  at: z.iso.datetime(),
  request_id: z.string().describe('X-Request-Id; the calls of a batch share one.'),
  key_id: z.string().nullable(),
  tool: z.string().describe('As the call named it; empty if it named none.'),
  skill: z.string(),
  error_code: z.string(),
  message: z.string(),
});

export const usageRefusalsSchema = z
  .looseObject({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    unit: z.enum(['hour', 'day', 'week', 'month']),
    trend_at: z.array(z.iso.datetime()).describe('When each part of a trend begins; UTC.'),
    refused: z.int().describe('Calls that were refused before they ran, to the minute.'),
    keys: z.int().describe('Keys with refused calls.'),
    last_at: z.iso.datetime().nullable(),
    by_code: z
      .array(
        z.looseObject({
          error_code: z.string(),
          limit: z.string().nullable().describe('The `limit` of the error, such as key or minute.'),
          keys: z.int(),
          first_at: z.iso.datetime().describe('When the first of these calls was refused, to the minute.'),
          trend: z.array(z.int()).describe('Calls over the period, in the parts of trend_at.'),
          ...refusedSchema,
        }),
      )
      .describe('By code and limit, the most frequent first.'),
    by_tool: z
      .array(
        z.looseObject({
          tool: z.string().nullable().describe('Null if no tool has the name that the calls gave.'),
          ...refusedSchema,
        }),
      )
      .describe('The most frequent first, at most 100.'),
    by_key: z.array(refusedKeySchema).describe('The most frequent first, at most 100.'),
    last: z.array(refusalSchema).describe('The last of these calls, at most 100, newest first.'),
  })
  .meta({ id: 'UsageRefusals' });

/** Refused calls for a signed-in user, who may see client addresses. */
export const refusalReportSchema = usageRefusalsSchema.extend({
  by_key: z.array(
    refusedKeySchema.extend({ kind: keyLabelSchema.shape.kind, is_yours: keyLabelSchema.shape.is_yours }),
  ),
  /** By key, code and limit: the last refused first, at most 100. */
  by_reason: z.array(
    z.object({
      /** Null for calls without a key, and for those beyond the bounds. */
      key_id: z.string().nullable(),
      key_name: z.string(),
      kind: keyLabelSchema.shape.kind,
      is_yours: keyLabelSchema.shape.is_yours,
      error_code: z.string(),
      limit: z.string().nullable(),
      /** The tool of all these calls; null if they are of several, or of an unknown one. */
      tool: z.string().nullable(),
      refused: z.int(),
      /** To the minute. */
      first_at: z.iso.datetime(),
      last_at: z.iso.datetime(),
      /** Set if the limit refuses calls now: its calls since the last one that it let through. */
      in_force: z
        .object({
          refused: z.int(),
          since: z.iso.datetime(),
          /** When it starts again; null if time alone does not help. */
          retry_at: z.iso.datetime().nullable(),
        })
        .nullable(),
      /**
       * Set if the cause is gone. `at`: when a limit or rule was changed, a limit has reset, or a
       * provider key was saved; null if that is not known, as when a corrected call succeeds.
       */
      repaired: z.object({ at: z.iso.datetime().nullable(), reset: z.boolean() }).nullable(),
    }),
  ),
  reasons_left_out: z.int(),
  last: z.array(
    refusalSchema.extend({
      key_name: z.string(),
      /** Null if unknown, or if the viewer may not see it: of other members only admins may. */
      client_address: z.string().nullable(),
    }),
  ),
});

export type UsageRefusalsInput = z.infer<typeof usageRefusalsInput>;
export type UsageRefusals = z.infer<typeof usageRefusalsSchema>;
export type RefusalReport = z.infer<typeof refusalReportSchema>;
