import { z } from 'zod';
import { openSource, readingInput } from '../data/table-file';
import { defineSkill, perCall } from '../sdk/define-tool';
import { fileInput } from '../sdk/file-schemas';
import { runInWorker } from '../sdk/workers';
import { MAX_DATA_BYTES, TIME_LIMIT_MS } from './limits.mjs';
import { MODULE, pictureInput, pictureOutput, saveChart, side } from './picture';
import type * as worker from './render-worker.mjs';

/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;

const input = z.object({
  spec: z
    .record(z.string(), z.unknown())
    .describe(
      'A Vega-Lite or Vega specification. Put rows in data.values or pass them in the data field; nothing is loaded from URLs.',
    ),
  data: fileInput(
    'Rows for the chart: a CSV with a header, Parquet or a JSON array of objects, at most 10 MiB and 100,000 rows. They become the data of a Vega-Lite spec, and the data set named "data" of a Vega spec.',
    'text/csv',
  ).optional(),
  data_options: z
    .object(readingInput)
    .optional()
    .describe('How the file is read, as in data.query: delimiter, decimal, dates and others.'),
  width: side.optional().describe('Width of the plot; overrides the one in the spec.'),
  height: side.optional().describe('Height of the plot; overrides the one in the spec.'),
  background: z
    .string()
    .regex(
      /^(#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?|transparent)$/,
      'Use a colour of six hex digits, such as #ffffff, or transparent.',
    )
    .optional()
    .describe('Background colour, such as #ffffff, or transparent.'),
  ...pictureInput,
});

const output = z.object(pictureOutput);

export const render = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'render',
  displayName: 'Draw a Vega-Lite chart',
  keywords: 'vega vega-lite specification spec',
  description:
    'Draws a Vega-Lite or Vega specification as a PNG or SVG picture: any chart the grammar can say, with layers, facets, aggregates and scales, from rows inside the spec or from a CSV or JSON file. For simple charts of a few numbers use quick_chart.',
  input,
  output,
  returns: 'The chart as a picture asset, with its size and warnings about what it does not show.',
  examples: [
    {
      description: 'Revenue by month and region from a CSV file, as lines',
      input: {
        data: 'asset_sample_sales',
        spec: {
          title: 'Revenue by region',
          width: 560,
          height: 300,
          mark: { type: 'line', point: true },
          encoding: {
            x: { timeUnit: 'yearmonth', field: 'date', type: 'temporal', title: null, axis: { grid: false } },
            y: { aggregate: 'sum', field: 'revenue', type: 'quantitative', title: 'Revenue' },
            color: { field: 'region', type: 'nominal', title: 'Region' },
          },
        },
      },
    },
    {
      description: 'A heat map of rows in the spec, as SVG',
      input: {
        format: 'svg',
        spec: {
          title: 'Visits by day and hour',
          data: {
            values: [
              { day: 'Mon', hour: 9, visits: 28 },
              { day: 'Mon', hour: 12, visits: 55 },
              { day: 'Mon', hour: 15, visits: 43 },
              { day: 'Tue', hour: 9, visits: 91 },
              { day: 'Tue', hour: 12, visits: 81 },
              { day: 'Tue', hour: 15, visits: 53 },
            ],
          },
          mark: 'rect',
          width: 240,
          height: 120,
          encoding: {
            x: { field: 'hour', type: 'ordinal', axis: { labelAngle: 0 } },
            y: { field: 'day', type: 'ordinal', title: null },
            color: { field: 'visits', type: 'quantitative' },
          },
        },
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: { data, data_options: reading, ...request }, files, signal }) {
    const source =
      data === undefined
        ? undefined
        : await openSource({ file: data, format: 'auto', ...reading }, 'data', files, MAX_DATA_BYTES);
    const path = await files.scratch();
    const answer = await runInWorker<typeof worker.renderLast>(
      MODULE,
      'renderLast',
      { ...request, data: source, output: path },
      { signal, timeLimitMs: TIME_LIMIT_MS, isolated: true },
    );
    const { title } = request.spec;
    const words = typeof title === 'string' ? title : undefined;
    return { output: await saveChart({ files }, { path, title: words, format: request.format }, answer) };
  },
});
