import { scaleLinear } from 'd3-scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSparkline, createScale, type Series, stackSeries, sumBuckets } from './chart-scale';

const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, -0, 0);
const value = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: 0, max: 1e9, noNaN: true }) },
  { weight: 1, arbitrary: odd },
);
const seriesArb = fc.integer({ min: 0, max: 40 }).chain((buckets) =>
  fc.record({
    buckets: fc.constant(buckets),
    series: fc.array(
      fc.record({ id: fc.uuid(), name: fc.string(), values: fc.array(value, { maxLength: buckets }) }),
      { maxLength: 7 },
    ),
  }),
);
const isShare = (share: number) => share >= 0 && share <= 1;

describe('a chart', () => {
  it('has round ticks from zero that include the highest value, for any value', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), fc.boolean(), (highest, whole) => {
        const { top, ticks } = createScale(highest, { whole });
        expect(top).toBeGreaterThanOrEqual(highest);
        expect(top).toBeLessThan(highest * 2.5);
        expect(ticks[0]).toBe(0);
        expect(ticks.length).toBeLessThanOrEqual(9);
        for (const tick of ticks) expect(isShare(tick / top)).toBe(true);
        if (whole) expect(ticks.every(Number.isInteger)).toBe(true);
      }),
    );
  });

  it('has the same domain and ticks as d3-scale', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
        fc.integer({ min: 2, max: 8 }),
        (highest, count) => {
          const theirs = scaleLinear().domain([0, highest]).nice(count);
          const ours = createScale(highest, { count });
          expect(ours.top / (theirs.domain()[1] ?? 0)).toBeCloseTo(1, 9);
          expect(ours.ticks).toEqual(theirs.ticks(count));
        },
      ),
    );
  });

  it('has a scale from zero to one without values', () => {
    for (const nothing of [0, -3, Number.NaN, Number.POSITIVE_INFINITY])
      expect(createScale(nothing)).toEqual({ top: 1, ticks: [0] });
  });
});

describe('a stack', () => {
  it('stacks segments without gaps or overlaps, sums to the total, and never yields negative numbers or NaN', () => {
    fc.assert(
      fc.property(seriesArb, ({ series, buckets }: { series: Series[]; buckets: number }) => {
        const totals = sumBuckets(series, buckets);
        const { top } = createScale(Math.max(0, ...totals));
        const layers = stackSeries(series, buckets, top);
        expect(layers).toHaveLength(series.length);
        for (let at = 0; at < buckets; at++) {
          let ground = 0;
          for (const layer of layers) {
            const segment = layer[at];
            expect(segment?.from).toBeCloseTo(ground, 9);
            expect(isShare(segment?.from ?? -1) && isShare(segment?.to ?? -1)).toBe(true);
            expect((segment?.to ?? -1) - (segment?.from ?? 0)).toBeGreaterThanOrEqual(0);
            ground = segment?.to ?? -1;
          }
          expect(ground * top).toBeCloseTo(Math.min(totals[at] ?? 0, top), 1);
        }
      }),
    );
  });
});

it('draws a sparkline of any values, without NaN or Infinity', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 50 }), (values) => {
      const { line, area } = buildSparkline(values);
      expect(line + area).not.toMatch(/NaN|Infinity/);
    }),
  );
});
