import { z } from 'zod';
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '../limits';

const id = z.string().min(1).max(100);
const instant = z.iso.datetime();

export const toolPricesInput = z.object({ tool: id });

const amountsSchema = z.object({ platform_fee_usd: z.number(), provider_cost_usd: z.number() });

export const toolPricesSchema = z.object({
  /** Of every skill of a built-in tool. */
  skills: z.array(
    z.object({
      name: z.string(),
      unit: z.string(),
      current: amountsSchema,
      /** The price of the release. */
      default: amountsSchema,
      /** The platform fee that an operator set; null for the default. */
      fee_usd: z.number().nullable(),
      /** False if the caller's input is the price. */
      adjustable: z.boolean(),
    }),
  ),
  /** The markup that an operator set on the provider's cost; null for none. */
  markup_percent: z.number().nullable(),
  /** Whether a provider charges for any skill, so that a markup has an effect. */
  has_provider_cost: z.boolean(),
  changes: z.array(
    z.object({
      id: z.string(),
      /** Null for the markup of all skills. */
      skill: z.string().nullable(),
      /** Both null: reset to the default. */
      fee_usd: z.number().nullable(),
      markup_percent: z.number().nullable(),
      state: z.enum(['scheduled', 'current', 'replaced']),
      reason: z.string(),
      by: z.string(),
      effective_at: instant,
      created_at: instant,
    }),
  ),
});

export const setToolPriceInput = z.object({
  tool: id,
  /** Null for the markup on the provider's cost of all skills. */
  skill: id.nullable(),
  /** Of a skill, per unit; null resets it to the default. */
  platform_fee_usd: z.number().nullable().optional(),
  /** Of a tool; null removes it. */
  markup_percent: z.number().nullable().optional(),
  /** When it takes effect; now if omitted. */
  effective_at: instant.optional(),
  reason: z
    .string()
    .trim()
    .min(MIN_REASON_LENGTH, 'Enter a reason of at least three characters.')
    .max(MAX_REASON_LENGTH),
});

export type ToolPrices = z.infer<typeof toolPricesSchema>;
export type SetToolPrice = z.infer<typeof setToolPriceInput>;
