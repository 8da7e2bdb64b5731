import { z } from 'zod';
import { keyLabelSchema } from './schema';

/** Keys whose calls are refused now, each with the limit that lasts longest. */
export const blockedKeysSchema = z.object({
  keys: z.array(
    z.object({
      key_id: z.string(),
      error_code: z.enum(['INSUFFICIENT_CREDITS', 'RATE_LIMIT_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED']),
      /** The `limit` of the error, such as `key` or `minute`. */
      limit: z.string(),
      refused: z.int(),
      since: z.iso.datetime(),
      last_at: z.iso.datetime(),
      /** When the limit starts again; null if time alone does not help. */
      retry_at: z.iso.datetime().nullable(),
    }),
  ),
});

/** What refuses calls of an account now, and what did in the last 24 hours and is not repaired. */
export const attentionSchema = z.object({
  /** By key, or by a limit that several keys share. */
  now: z.array(
    z.object({
      /** Null for several keys. */
      key_id: z.string().nullable(),
      key_name: z.string().nullable(),
      kind: keyLabelSchema.shape.kind,
      keys: z.int(),
      error_code: z.string(),
      limit: z.string(),
      /** Since the last success. */
      refused: z.int(),
      since: z.iso.datetime(),
      last_at: z.iso.datetime(),
      /** When the limit starts again; null if time alone does not help. */
      retry_at: z.iso.datetime().nullable(),
    }),
  ),
  now_left_out: z.int(),
  /** By key and reason, as in a report of refused calls; none of `now`. */
  past: z.array(
    z.object({
      key_id: z.string().nullable(),
      key_name: z.string(),
      kind: keyLabelSchema.shape.kind,
      error_code: z.string(),
      limit: z.string().nullable(),
      /** The tool of all these calls; null if they are of several, or of an unknown one. */
      tool: z.string().nullable(),
      /** Of the last of them, if all are of one tool. */
      skill: z.string().nullable(),
      /** How many tools they name that exist. */
      tools: z.int(),
      /** What the last of them got, if it says more than the code. */
      message: z.string().nullable(),
      refused: z.int(),
      last_at: z.iso.datetime(),
      /** The call itself was wrong, not its key or account. */
      is_input: z.boolean(),
    }),
  ),
  past_left_out: z.int(),
});

/** Spending limits that are nearly used up, the fullest first. */
export const nearLimitsSchema = z.object({
  limits: z.array(
    z.object({
      /** Of a key, of the account in a month, or of the viewer in the team. */
      kind: z.enum(['key', 'account', 'member']),
      key_id: z.string().nullable(),
      /** The name of the key. */
      name: z.string().nullable(),
      /** Null: in total. */
      period: z.enum(['day', 'week', 'month']).nullable(),
      spent_usd: z.number(),
      limit_usd: z.number(),
      resets_at: z.iso.datetime().nullable(),
    }),
  ),
  /** Further limits near their end. */
  left_out: z.int(),
});

export type BlockedKeys = z.infer<typeof blockedKeysSchema>;
export type BlockedKey = BlockedKeys['keys'][number];
export type Attention = z.infer<typeof attentionSchema>;
export type NearLimits = z.infer<typeof nearLimitsSchema>;
