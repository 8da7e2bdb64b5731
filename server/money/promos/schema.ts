import { z } from 'zod';
import { microusdFromUsd } from '../../kit/money';
import { MAX_CODE_LENGTH, MAX_NOTE_LENGTH, MAX_PROMO_USD, MAX_REDEMPTIONS, MIN_CODE_LENGTH } from './limits';

/** A code as people type it: case and surrounding spaces do not matter. */
const codeSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9](?:[A-Z0-9-]*[A-Z0-9])?$/, 'Use letters, digits and hyphens.')
  .min(MIN_CODE_LENGTH, `Must have at least ${MIN_CODE_LENGTH} characters.`)
  .max(MAX_CODE_LENGTH, `Must have at most ${MAX_CODE_LENGTH} characters.`);

export const createPromoInput = z.object({
  code: codeSchema,
  amount_usd: z
    .number()
    .positive('Must be above 0.')
    .max(MAX_PROMO_USD, `Must be at most ${MAX_PROMO_USD} dollars.`)
    .refine((usd) => microusdFromUsd(usd) !== null, 'Must be dollars with at most six decimals.'),
  max_redemptions: z
    .int('Must be a whole number.')
    .min(1, 'Must be at least 1.')
    .max(MAX_REDEMPTIONS, `Must be at most ${MAX_REDEMPTIONS}.`),
  expires_at: z.iso.datetime().nullable(),
  new_people_only: z.boolean(),
  note: z.string().trim().max(MAX_NOTE_LENGTH),
});

export const promoStates = ['active', 'deactivated', 'expired', 'used_up'] as const;

const promoSchema = z.object({
  id: z.string(),
  /** Masked for those who may not redeem or pass it on. */
  code: z.string(),
  state: z.enum(promoStates),
  amount_usd: z.number(),
  redeemed: z.int(),
  max_redemptions: z.int(),
  expires_at: z.iso.datetime().nullable(),
  new_people_only: z.boolean(),
  note: z.string(),
  created_at: z.iso.datetime(),
});

export const promoListInput = z.object({ cursor: z.string().min(1).max(100).optional() });
export const promoListSchema = z.object({
  promos: z.array(promoSchema),
  next_cursor: z.string().nullable(),
});

export const promoIdInput = z.object({ id: z.string().min(1).max(100) });

export const redemptionsInput = promoIdInput.extend({ cursor: z.string().min(1).max(100).optional() });
export const redemptionListSchema = z.object({
  redemptions: z.array(
    z.object({
      id: z.string(),
      account_id: z.string(),
      account_name: z.string().nullable(),
      amount_usd: z.number(),
      at: z.iso.datetime(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const redeemInput = z.object({
  // Any text: what no code can look like is answered like a code that does not exist.
  code: z.string().trim().min(1, 'Enter a code.').max(100).toUpperCase(),
  billing: z.string().min(1).max(64).optional(),
});

export const redeemedSchema = z.object({ code: z.string(), amount_usd: z.number(), account: z.string() });

export type CreatePromo = z.infer<typeof createPromoInput>;
export type Promo = z.infer<typeof promoSchema>;
export type PromoList = z.infer<typeof promoListSchema>;
export type Redemption = z.infer<typeof redemptionListSchema>['redemptions'][number];
export type RedemptionList = z.infer<typeof redemptionListSchema>;
export type Redeemed = z.infer<typeof redeemedSchema>;
