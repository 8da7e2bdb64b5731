import type { PurchaseTerms } from '@/server/money/billing/schema';
import { readAmount } from '../shared/amount';
import { formatMoney } from '../ui/money';

export type PurchaseAmount = { usd: number } | { problem: string };
export type AmountBounds = Pick<PurchaseTerms, 'min_usd' | 'max_usd'>;

/** What a reload may buy, whatever the terms of a purchase by hand are. */
export const RELOAD_BOUNDS: AmountBounds = { min_usd: 1, max_usd: 500 };

/**
 * Credit to buy as a person types it: `10`, `$12.50`, `1,000`.
 * @param field how the form calls it, to name it in the problem
 */
export function readPurchaseAmount(field: string, text: string, bounds: AmountBounds): PurchaseAmount {
  const amount = readAmount(field, withoutThousands(text));
  if ('problem' in amount) return amount;
  const { usd } = amount;
  if (!isWholeCents(usd)) return { problem: `${field}: use whole cents, such as 12.50.` };
  if (usd < bounds.min_usd) return { problem: `${field}: the least is ${formatMoney(bounds.min_usd)}.` };
  if (usd > bounds.max_usd) return { problem: `${field}: the most is ${formatMoney(bounds.max_usd)}.` };
  return amount;
}

/** The amount as one would type it: `10`, `12.50`. */
export function writeAmount(usd: number): string {
  return Number.isInteger(usd) ? String(usd) : formatMoney(usd).replace(/[$,]/g, '');
}

function isWholeCents(usd: number): boolean {
  return Math.round(usd * 1e6) % 10_000 === 0;
}

/** `1,000` is a thousand; `1,5` stays as it is, and is refused. */
function withoutThousands(text: string): string {
  return /^\s*\$?\s*\d{1,3}(,\d{3})+(\.\d*)?\s*$/.test(text) ? text.replaceAll(',', '') : text;
}
