import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import type * as worker from './profile-worker.mjs';
import { dialectOutput, openSource, readingInput, rowOutput, tableFile } from './table-file';

const MODULE = 'server/tools/data/profile-worker.mjs';
/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;
const TIME_LIMIT_MS = 25_000;
const MAX_COLUMNS = 200;

const input = z.object({
  file: tableFile,
  ...readingInput,
  top_values: z
    .int()
    .min(0)
    .max(20)
    .default(5)
    .describe('Number of most frequent values to list for each column; 5 by default.'),
});

const number = z.number().nullish();
const column = z.object({
  name: z.string(),
  type: z.string(),
  nulls: z.int(),
  distinct_approximately: z.int().optional(),
  min: z.union([z.number(), z.string()]).nullish(),
  max: z.union([z.number(), z.string()]).nullish(),
  mean: number,
  stddev: number,
  q25: number,
  median: number,
  q75: number,
  top_values: z.array(z.object({ value: z.string(), count: z.int() })),
});

const output = z.object({
  filename: z.string().describe('Name of the file.'),
  rows: z.int().describe('Rows of the table.'),
  column_count: z.int().describe(`Columns of the table; the first ${MAX_COLUMNS} are described.`),
  columns: z
    .array(column)
    .describe(
      'Each column: type, missing values (nulls), approximate number of distinct values, minimum and maximum, the most frequent values, and for numbers the mean, standard deviation and quartiles.',
    ),
  samples: z.array(rowOutput).describe('The first five rows.'),
  dialect: dialectOutput.optional(),
});

export const profile = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'profile',
  displayName: 'Profile of a table',
  keywords:
    'columns types missing values nulls empty overview look explore summary csv dataset spreadsheet what data file',
  description:
    'Shows what is in a data file before you work with it: columns and their types, number of rows, missing values, how many different values, minimum, maximum, mean, quartiles and the most frequent values of every column, a few sample rows, and how the file was read (encoding, delimiter, header). Takes CSV, JSON, JSON Lines or Parquet, up to 100 MiB.',
  input,
  output,
  returns:
    'The number of rows, a summary of each column, five rows as samples, and the dialect that was assumed.',
  examples: [
    { description: 'What is in a spreadsheet exported as CSV', input: { file: 'asset_sample_sales' } },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: { top_values: topValues, ...reading }, files, signal }) {
    const source = await openSource(reading, 'data', files);
    const found = acceptOrRefuse(
      await runInWorker<typeof worker.profile>(
        MODULE,
        'profile',
        { source, maxColumns: MAX_COLUMNS, topValues },
        { signal, timeLimitMs: TIME_LIMIT_MS },
      ),
    );
    // The types of database rows depend on the SQL that produced them, so the schema checks them.
    const columns = z.array(column).parse(found.columns);
    return { output: { ...found, filename: source.filename, columns } };
  },
});
