import { formatMoney } from '../ui/money';

const DOLLARS = /^\$?\s*(\d{1,9})(?:\.(\d+))?$/;
const MAX_DECIMALS = 6;

export type Amount = { usd: number } | { problem: string };

/** An amount as a field shows it: `$0.40`, without separators of thousands. */
export function writeAmount(usd: number): string {
  return formatMoney(usd).replaceAll(',', '');
}

/**
 * Parses dollars as typed: `5`, `$0.25`, `0.000001`.
 * @param field the label of the field, to name it in the problem
 */
export function readAmount(field: string, text: string): Amount {
  const trimmed = text.trim();
  const match = DOLLARS.exec(trimmed.startsWith('.') ? `0${trimmed}` : trimmed);
  if (!match) return { problem: `${field}: enter an amount in dollars, such as 5 or 0.25.` };
  if ((match[2] ?? '').length > MAX_DECIMALS)
    return { problem: `${field}: use at most six decimals, such as 0.000001.` };
  return { usd: Number(`${match[1]}.${match[2] ?? '0'}`) };
}
