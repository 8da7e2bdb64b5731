import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Cost, defineSkill } from '../../tools/sdk/define-tool';
import { computeCost, type OwnKey, quoteCall, sumCost } from './price-call';

const PPM = 1_000_000n;
const amount = fc.bigInt(0n, 10_000_000_000n);
const cost = fc.record({ platformFee: amount, providerCost: amount });
const rate = fc.oneof(fc.constant(50_000n), fc.bigInt(0n, PPM));

const makeSkill = (quoted: Cost, settled: Cost) =>
  defineSkill({
    name: 'priced',
    displayName: 'Priced',
    description: 'For tests',
    input: z.object({}),
    output: z.object({}),
    returns: 'nothing',
    examples: [],
    price: {
      free: false,
      platformFeeMicrousd: 0n,
      providerCostMicrousd: 0n,
      unit: 'call',
      rates: () => quoted,
      quote: () => quoted,
      settle: () => settled,
    },
    annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
    run: async () => ({ output: {} }),
  });
const pricesOf = (skill: ReturnType<typeof makeSkill>, byok: boolean, byokRatePpm: bigint) => ({
  quote: quoteCall(skill, {}, byok, byokRatePpm),
  byokRatePpm,
});
const sum = ({ platformFee, providerCost }: Cost) => platformFee + providerCost;

describe("the price with the caller's own key", () => {
  it('is the BYOK share of the full price, rounded up to a microdollar, all of it markup', () => {
    fc.assert(
      fc.property(cost, rate, (price, ppm) => {
        const skill = makeSkill(price, price);
        for (const priced of [
          quoteCall(skill, {}, true, ppm),
          computeCost(skill, {}, undefined, 'used', pricesOf(skill, true, ppm)),
        ]) {
          expect(priced.raw).toBe(0n);
          // At least the share, and less than one microdollar above it.
          const over = priced.markup * PPM - sum(price) * ppm;
          expect(over >= 0n && over < PPM).toBe(true);
          expect(priced.markup <= sum(price)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [0n, 0n, 0n],
    [1n, 0n, 1n],
    [0n, 1n, 1n],
    [20n, 0n, 1n],
    [20n, 1n, 2n],
    [1_000_000n, 1_000_000n, 100_000n],
  ])('of a fee of %d and a cost of %d is %d', (platformFee, providerCost, wanted) => {
    const skill = makeSkill({ platformFee, providerCost }, { platformFee, providerCost });
    expect(quoteCall(skill, {}, true, 50_000n)).toEqual({ markup: wanted, raw: 0n });
  });
});

it('no call costs more than its hold or less than zero, with or without BYOK', () => {
  const ownKey = fc.constantFrom<OwnKey>('none', 'unused', 'used');
  fc.assert(
    fc.property(cost, cost, ownKey, rate, (quoted, settled, own, ppm) => {
      const skill = makeSkill(quoted, settled);
      const held = quoteCall(skill, {}, own !== 'none', ppm);
      const charged = computeCost(skill, {}, undefined, own, pricesOf(skill, own !== 'none', ppm));
      expect(sumCost(charged) <= sumCost(held)).toBe(true);
      expect(charged.markup >= 0n && charged.raw >= 0n).toBe(true);
      if (own !== 'none') expect(charged.raw).toBe(0n);
      // An unused key never makes a call cheaper than a used one.
      if (own === 'unused')
        expect(
          sumCost(charged) >= sumCost(computeCost(skill, {}, undefined, 'used', pricesOf(skill, true, ppm))),
        ).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
