import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import { describe } from './statistics-worker.mjs';

const MODULE = 'server/tools/math/statistics-worker.mjs';
/** Checking two lists of this length takes 20 ms on the gateway's main thread. */
const MAX_VALUES = 100_000;
/** Squares of larger values would overflow a double. */
const MAX_VALUE = 1e100;
/** So few are described in a quarter of a millisecond, less than a worker costs the main thread. */
const MAX_VALUES_ON_MAIN_THREAD = 500;
/** A fiftieth of a cent. */
const PRICE_MICROUSD = 200n;

/** Bounds for documentation only: refuseFirstWrong checks them, as zod's checks double the time. */
const value = z.number().meta({ minimum: -MAX_VALUE, maximum: MAX_VALUE });

/** A list of which only the first invalid value is reported: 100,000 errors take long to build. */
const values = (least: number) => z.preprocess(refuseFirstWrong, z.array(value).min(least).max(MAX_VALUES));

function refuseFirstWrong(list: unknown, context: z.core.$RefinementCtx): unknown {
  if (!Array.isArray(list) || list.length > MAX_VALUES) return list;
  const at = list.findIndex((item) => typeof item !== 'number' || !(Math.abs(item) <= MAX_VALUE));
  if (at >= 0)
    context.addIssue({ code: 'custom', path: [at], message: 'Must be a number between -1e100 and 1e100.' });
  return list;
}

const input = z
  .object({
    values: values(1).describe('The numbers to describe, 1 to 100,000; the x of a regression.'),
    y: values(2)
      .optional()
      .describe(
        'One number for each of values, in the same order: adds a linear regression of y over values.',
      ),
    quantiles: z
      .array(z.number().min(0).max(1))
      .max(100)
      .default([0.05, 0.25, 0.5, 0.75, 0.95])
      .describe('Quantiles to compute, each from 0 to 1; 0.9 is the 90th percentile.'),
    histogram_bins: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Number of bins of equal width, 1 to 1,000; chosen by the number of values by default.'),
  })
  .refine(({ values, y }) => y === undefined || y.length === values.length, {
    path: ['y'],
    message: 'y must have the same number of entries as values.',
  });

const output = z.object({
  count: z.int().describe('Number of values.'),
  sum: z.number().describe('Their sum.'),
  mean: z.number().describe('The arithmetic mean (average).'),
  median: z.number().describe('The middle value.'),
  mode: z.array(z.number()).describe('The most frequent values, at most 100; empty if none occurs twice.'),
  min: z.number().describe('The smallest value.'),
  max: z.number().describe('The largest value.'),
  range: z.number().describe('max minus min.'),
  variance: z.number().nullable().describe('Sample variance (divided by n - 1); null for one value.'),
  stdev: z.number().nullable().describe('Sample standard deviation; null for one value.'),
  population_variance: z.number().describe('Variance of the whole population (divided by n).'),
  population_stdev: z.number().describe('Standard deviation of the whole population.'),
  quantiles: z
    .array(
      z.object({
        probability: z.number().describe('The requested probability, 0 to 1.'),
        value: z.number().describe('The value below which that share lies, linearly interpolated.'),
      }),
    )
    .describe('The requested quantiles.'),
  histogram: z
    .array(
      z.object({
        from: z.number().describe('Lower edge, included.'),
        to: z.number().describe('Upper edge, excluded except in the last bin.'),
        count: z.int().describe('Values in the bin.'),
      }),
    )
    .describe('Counts in bins of equal width.'),
  regression: z
    .object({
      slope: z.number().nullable().describe('Change of y per unit of x; null if all x are equal.'),
      intercept: z.number().nullable().describe('y at x = 0.'),
      r: z.number().nullable().describe("Pearson's correlation, -1 to 1; null if x or y is constant."),
      r_squared: z.number().nullable().describe('Share of the variance that the line explains.'),
    })
    .nullable()
    .describe('Least-squares line through (values, y); null without y.'),
});

export const statistics = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'statistics',
  displayName: 'Descriptive statistics',
  keywords:
    'mean average median standard deviation variance percentile quartile correlation regression trend outliers measurements numbers sample',
  description:
    'Summarises a list of numbers: count, sum, mean (average), median, mode, minimum, maximum, variance, standard deviation, quantiles and percentiles, and a histogram. With a second list it also fits a linear regression (trend line) and gives the correlation.',
  input,
  output,
  returns: 'All figures about the list, its quantiles and histogram, and the regression where y was given.',
  examples: [
    {
      description: 'Average, median and standard deviation of a list',
      input: { values: [2, 4, 4, 4, 5, 5, 7, 9] },
    },
    {
      description: 'Fit a trend line through points',
      input: { values: [1, 2, 3, 4], y: [2.1, 3.9, 6.2, 7.8] },
    },
    {
      description: 'The 90th and 99th percentile of response times, in five bins',
      input: { values: [12, 15, 11, 90, 14, 13, 300, 16], quantiles: [0.9, 0.99], histogram_bins: 5 },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.1 },
  run: async ({ input: payload, signal }) => ({
    output:
      payload.values.length <= MAX_VALUES_ON_MAIN_THREAD
        ? describe(payload)
        : await runInWorker<typeof describe>(MODULE, 'describe', payload, { signal }),
  }),
});
