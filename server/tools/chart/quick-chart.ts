import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import { MAX_POINTS, MAX_SERIES, TIME_LIMIT_MS } from './limits.mjs';
import { MODULE, pictureInput, pictureOutput, saveChart, side } from './picture';
import type * as worker from './render-worker.mjs';

/** A tenth of a cent. */
const PRICE_MICROUSD = 1_000n;
const MAX_LABELS = 1_000;
const MAX_TITLE_CHARS = 200;
const MAX_LABEL_CHARS = 200;

const title = z.string().min(1).max(MAX_TITLE_CHARS);

const input = z.object({
  type: z
    .enum(['bar', 'line', 'area', 'pie', 'donut', 'scatter', 'histogram'])
    .describe(
      'bar compares amounts, line and area show a course over time, pie and donut parts of a whole, scatter how two numbers go together, histogram how often values occur.',
    ),
  labels: z
    .array(z.string().max(MAX_LABEL_CHARS))
    .min(1)
    .max(MAX_LABELS)
    .optional()
    .describe(
      'What the values stand for: names, or dates such as 2026-03 or 2026-03-14, which make a time axis. Not for scatter and histogram.',
    ),
  series: z
    .array(
      z.object({
        name: title.optional().describe('Name in the legend.'),
        values: z
          .array(z.number().nullable())
          .min(1)
          .max(MAX_POINTS)
          .describe(
            'The numbers, one for each label; null where there is none. For scatter the y of each point.',
          ),
        x: z.array(z.number()).max(MAX_POINTS).optional().describe('Only for scatter: the x of each point.'),
      }),
    )
    .min(1)
    .max(MAX_SERIES)
    .describe('One or more rows of numbers, at most 12; pie and donut take one.'),
  title: title.optional().describe('Headline above the chart.'),
  subtitle: title.optional().describe('A smaller line under the title.'),
  x_title: title.optional().describe('Title of the x axis: what the labels or x values are.'),
  y_title: title.optional().describe('Title of the y axis: what the values are, with their unit.'),
  stacked: z.boolean().default(false).describe('Stacks the series of bars or areas.'),
  horizontal: z.boolean().default(false).describe('Draws horizontal bars: better for long labels.'),
  show_values: z.boolean().default(false).describe('Prints the value of each bar.'),
  bins: z.int().min(2).max(200).default(20).describe('Maximum number of bars in a histogram.'),
  width: side.default(720).describe('Width of the whole chart, before scale.'),
  height: side.default(420).describe('Height of the whole chart, before scale.'),
  ...pictureInput,
});

const output = z.object(pictureOutput);

export const quickChart = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'quick_chart',
  displayName: 'Quick chart',
  keywords:
    'graph plot diagram chart bar line curve pie donut area scatter histogram visualize visualise visualization numbers sales revenue market share monthly weekly infographic',
  description:
    'Makes a chart picture from a list of numbers: bar chart, line graph, area, pie or donut, scatter plot or histogram, with title, axis titles and legend. Needs labels and values only; the looks are taken care of, in colours that colour-blind people can tell apart.',
  input,
  output,
  returns: 'The chart as a PNG or SVG asset, with its size.',
  examples: [
    {
      description: 'A bar chart of sales by quarter for two years',
      input: {
        type: 'bar',
        title: 'Sales by quarter',
        labels: ['Q1', 'Q2', 'Q3', 'Q4'],
        series: [
          { name: '2025', values: [120, 150, 170, 160] },
          { name: '2026', values: [140, 165, 190, 210] },
        ],
        y_title: 'Thousand dollars',
      },
    },
    {
      description: 'A line graph of visitors over time',
      input: {
        type: 'line',
        title: 'Visitors',
        subtitle: 'Daily average',
        labels: ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'],
        series: [{ name: 'Visitors', values: [820, 932, 901, 1290, 1330, 1520] }],
      },
    },
    {
      description: 'A donut chart of market shares, as SVG',
      input: {
        type: 'donut',
        title: 'Market share',
        labels: ['North', 'South', 'East', 'West'],
        series: [{ values: [41, 27, 19, 13] }],
        format: 'svg',
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1.5 },
  async run({ input: request, files, signal }) {
    const { type, labels, series, subtitle, stacked, horizontal, bins, width, height } = request;
    const titles = { title: request.title, xTitle: request.x_title, yTitle: request.y_title, subtitle };
    const options = { stacked, horizontal, bins, width, height, showValues: request.show_values };
    const { format, scale, theme } = request;
    const path = await files.scratch();
    const answer = await runInWorker<typeof worker.quickChart>(
      MODULE,
      'quickChart',
      { chart: { type, labels, series, ...titles, ...options }, output: path, format, scale, theme },
      { signal, timeLimitMs: TIME_LIMIT_MS },
    );
    return { output: await saveChart({ files }, { path, title: request.title, format }, answer) };
  },
});
