import { expect, it } from 'vitest';
import { formatCompact, formatNumber } from './format-number';

const NUMBERS = [
  0, 0.5, 7, 12, 999, 1_000, -1_204, 12_345, 999_994, 1_000_000, 1_234_567, 987_654_321, 1_500_000_000,
];

it('groups digits as Intl does', () => {
  for (const number of NUMBERS.filter(Number.isInteger))
    expect(formatNumber(number)).toBe(number.toLocaleString('en-US'));
});

it('shortens numbers as Intl does', () => {
  const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
  for (const number of NUMBERS.filter((number) => number >= 0))
    expect(formatCompact(number)).toBe(compact.format(number));
});
