import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { runInWorker } from '../sdk/workers';
import type * as worker from './convert-worker.mjs';
import {
  baseName,
  columnsOutput,
  dialectOutput,
  openSource,
  readingInput,
  saveTable,
  tableFile,
  tableFormat,
} from './table-file';

const MODULE = 'server/tools/data/convert-worker.mjs';
/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;
const TIME_LIMIT_MS = 25_000;

const input = z.object({
  file: tableFile,
  ...readingInput,
  to: tableFormat.describe(
    'Format wanted: csv, json (a list of objects), jsonl (one object a line) or parquet.',
  ),
  to_delimiter: z
    .string()
    .length(1)
    .default(',')
    .describe('Delimiter of the CSV written; a comma by default.'),
});

const output = z.object({
  file: assetOutput.describe('The converted file.'),
  rows: z.int().describe('Number of rows.'),
  columns: columnsOutput,
  dialect: dialectOutput.optional(),
});

export const convert = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'convert',
  displayName: 'Convert a data file',
  keywords: 'csv json excel parquet jsonl spreadsheet table change turn into',
  description:
    'Turns a data file into another format: CSV to JSON, JSON to CSV, JSON Lines or Parquet, in every direction. Finds encoding, delimiter, header and column types by fixed rules, or takes them from you, and states what it assumed. Files up to 100 MiB.',
  input,
  output,
  returns: 'The new file, with the number of rows and the columns with their types.',
  examples: [
    { description: 'A CSV as JSON', input: { file: 'asset_sample_sales', to: 'json' } },
    {
      description: 'A CSV with semicolons, as some spreadsheets want it',
      input: { file: 'asset_sample_sales', to: 'csv', to_delimiter: ';' },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: { to, to_delimiter: delimiter, ...reading }, files, signal }) {
    const source = await openSource(reading, 'data', files);
    const target = { path: await files.scratch(to), format: to, delimiter };
    const { rows, columns, dialect } = acceptOrRefuse(
      await runInWorker<typeof worker.convert>(
        MODULE,
        'convert',
        { source, target },
        { signal, timeLimitMs: TIME_LIMIT_MS },
      ),
    );
    const file = await saveTable(files, target.path, baseName(source.filename), to);
    return { output: { file, rows, columns, dialect } };
  },
});
