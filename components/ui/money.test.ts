import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCents, formatMoney, formatMoneyTick } from './money';

it('shows totals with two decimals and never hides an amount below a cent', () => {
  expect(
    [12.743397, 0, 0.284892, 0.0004, -3, -0.000001, 1204.5, 0.995, 0.005].map((usd) => formatCents(usd)),
  ).toEqual(['$12.74', '$0.00', '$0.28', '<$0.01', '−$3.00', '−<$0.01', '$1,204.50', '$1.00', '$0.01']);
  expect([0.999, 1, 12.749999, 0.0099, 0].map((usd) => formatCents(usd, 'auto', true))).toEqual(
    '$0.99 $1.00 $12.74 <$0.01 $0.00'.split(' '),
  );
  expect(formatCents(2, 'always')).toBe('+$2.00');
  expect(formatCents(0.0004, 'always')).toBe('+<$0.01');
});

it('labels an axis with cents, or with what its steps need', () => {
  expect([0, 0.2, 1, 1.2, 0.1 + 0.2, 12.5, 15, 0.0005, 2e-7, 1500].map(formatMoneyTick)).toEqual(
    '$0 $0.20 $1.00 $1.20 $0.30 $12.50 $15 $0.0005 $0.0000002 $1.5K'.split(' '),
  );
});

it('shows every micro-dollar of an exact amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (micros) => {
      const text = formatMoney(micros / 1e6);
      expect(Math.round(Number(text.replace(/[$,]/g, '').replace('−', '-')) * 1e6)).toBe(micros);
    }),
  );
});
