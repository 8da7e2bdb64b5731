import type { AmountBounds } from '@/server/money/billing/limits';
import { readAmount } from '../shared/amount';
import { formatMoney } from '../ui/money';

export type PurchaseAmount = { usd: number } | { problem: string };

/**
 * Parses an amount of credit as typed: `10`, `$12.50`, `1,000`.
 * @param field the label of the field, to name it in the problem
 */
export function readPurchaseAmount(field: string, text: string, bounds: AmountBounds): PurchaseAmount {
  const amount = readAmount(field, withoutThousands(text));
  if ('problem' in amount) return amount;
  const { usd } = amount;
  if (!isWholeCents(usd)) return { problem: `${field}: use whole cents, such as 12.50.` };
  if (usd < bounds.min_usd) return { problem: `${field}: the minimum is ${formatMoney(bounds.min_usd)}.` };
  if (usd > bounds.max_usd) return { problem: `${field}: the maximum is ${formatMoney(bounds.max_usd)}.` };
  return amount;
}

/** The amount as a person would type it: `10`, `12.50`. */
export function writeAmount(usd: number): string {
  return Number.isInteger(usd) ? String(usd) : formatMoney(usd).replace(/[$,]/g, '');
}

function isWholeCents(usd: number): boolean {
  return Math.round(usd * 1e6) % 10_000 === 0;
}

/** Removes thousands separators: `1,000` is a thousand. `1,5` is unchanged and so is rejected. */
function withoutThousands(text: string): string {
  return /^\s*\$?\s*\d{1,3}(,\d{3})+(\.\d*)?\s*$/.test(text) ? text.replaceAll(',', '') : text;
}
