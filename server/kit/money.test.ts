import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatUsd,
  limitFromUsd,
  MAX_MICROUSD,
  microusdFromUsd,
  shareRoundedUp,
  usdFromMicrousd,
} from './money';

describe('money', () => {
  it('survives conversion to JSON and back, to the micro-dollar @A16', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_MICROUSD }), (micros) => {
        const wire = JSON.parse(JSON.stringify(usdFromMicrousd(micros))) as number;
        expect(microusdFromUsd(wire)).toBe(micros);
      }),
    );
  });

  it.each([Number.NaN, Infinity, -Infinity, 1e-7, 0.1234567, 1e10, 2 ** 53])(
    'rejects %s as an amount @A15',
    (usd) => {
      expect(microusdFromUsd(usd)).toBeNull();
      expect(() => limitFromUsd(usd)).toThrow(RangeError);
    },
  );

  it.each([
    [0n, '$0.00'],
    [500n, '$0.0005'],
    [1_234_567n, '$1.234567'],
    [12_500_000n, '$12.50'],
    [-3_000_000n, '−$3.00'],
    [1_234_567_890_000n, '$1,234,567.89'],
  ])('formats %s as %s', (micros, text) => {
    expect(formatUsd(micros)).toBe(text);
  });

  it('rounds a share up to the micro-dollar', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 1_000_000n }),
        (amount, ppm) => {
          const share = shareRoundedUp(amount, ppm);
          expect(share * 1_000_000n >= amount * ppm).toBe(true);
          expect((share - 1n) * 1_000_000n < amount * ppm).toBe(true);
        },
      ),
    );
  });
});
