import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { InputError } from '../sdk/skill-error';
import { findUnconfinedSql, runInWorker } from '../sdk/workers';
import type * as worker from './query-worker.mjs';
import {
  columnsOutput,
  dialectOutput,
  openSource,
  readingInput,
  rowOutput,
  saveTable,
  tableFile,
  tableFormat,
} from './table-file';

const MODULE = 'server/tools/data/query-worker.mjs';
/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;
const TIME_LIMIT_MS = 25_000;
const MAX_FILES = 8;

const TABLE_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,62}$/;

const input = z.object({
  files: z
    .array(
      z.object({
        file: tableFile,
        name: z
          .string()
          .regex(
            TABLE_NAME,
            'A table name consists of letters, digits and _, and does not start with a digit.',
          )
          .optional()
          .describe(
            'Name of the table in the SQL; by default t1 for the first file, t2 for the second, and so on.',
          ),
        ...readingInput,
      }),
    )
    .min(1)
    .max(MAX_FILES)
    .describe(`The files to query; each becomes a table; 1 to ${MAX_FILES}.`),
  sql: z
    .string()
    .min(1)
    .max(20_000)
    .describe(
      'One SELECT in the SQL dialect of DuckDB: joins, windows, CTEs, aggregates, PIVOT with values. DESCRIBE t1 lists the columns. Functions that read files, settings or the catalogue, or run statements, are not available.',
    ),
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .describe('Maximum number of rows to return, up to 1,000; 100 by default.'),
  save_as: tableFormat
    .optional()
    .describe('Also save the whole result as a file: csv, json, jsonl (one object a line) or parquet.'),
  show_dialect: z
    .boolean()
    .default(false)
    .describe('Also return how each file was read: encoding, delimiter, header and other assumptions.'),
});

const output = z.object({
  columns: columnsOutput,
  rows: z
    .array(rowOutput)
    .describe(
      'The first rows, as objects by column. Numbers too long for JSON are text; dates are ISO text in UTC.',
    ),
  row_count: z.int().describe('Number of rows returned.'),
  truncated: z.boolean().describe('Whether the result has more rows than are returned.'),
  total_rows: z
    .int()
    .nullable()
    .describe('Number of rows of the whole result; null if they were not counted.'),
  file: assetOutput.nullable().describe('The whole result as a file; null without save_as.'),
  dialects: z
    .array(dialectOutput.extend({ table: z.string().describe('Name of the table.') }))
    .optional()
    .describe('With show_dialect: how each file was read.'),
});

export const query = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'query',
  displayName: 'SQL query over files',
  keywords:
    'sql csv excel spreadsheet table filter rows where group sum total average count join sort top revenue per month country customers parquet analyze',
  description:
    'Runs a SQL SELECT over CSV, JSON, JSON Lines or Parquet files: filter, group, sum, sort, join several files, count or rank. Each file is a table (t1, t2 or your own name). Returns up to 1,000 rows as JSON with the column types and, if asked, the whole result as a new CSV, JSON or Parquet file. 25 seconds and 512 MiB of memory at most.',
  input,
  output,
  returns: 'The rows of the result, its columns with types, and optionally a file with all of it.',
  examples: [
    {
      description: 'Revenue by region from a CSV, largest first',
      input: {
        files: [{ file: 'asset_sample_sales', name: 'sales' }],
        sql: 'SELECT region, sum(revenue) AS revenue FROM sales GROUP BY region ORDER BY revenue DESC',
      },
    },
    {
      description: 'Best product of each month, kept as Parquet',
      input: {
        files: [{ file: 'asset_sample_sales' }],
        sql: "SELECT date_trunc('month', date) AS month, arg_max(product, units) AS best FROM t1 GROUP BY 1 ORDER BY 1",
        save_as: 'parquet',
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  findEngine: findUnconfinedSql,
  async run({ input: { files: given, sql, limit, save_as: format, show_dialect: shown }, files, signal }) {
    const names = given.map((file, at) => file.name ?? `t${at + 1}`);
    if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
      throw new InputError('files: two tables have the same name. Give each file a unique name.');
    const sources = [];
    for (const [at, file] of given.entries()) sources.push(await openSource(file, names[at] ?? '', files));
    const save = format && { format, path: await files.scratch(format) };
    const options = { signal, timeLimitMs: TIME_LIMIT_MS, isolated: true };
    const payload = { sources, sql, limit, save };
    const { columns, rows, truncated, total, dialects } = acceptOrRefuse(
      await runInWorker<typeof worker.runQuery>(MODULE, 'runQuery', payload, options),
    );
    const file = save ? await saveTable(files, save.path, 'result', save.format) : null;
    const output = { columns, rows, row_count: rows.length, truncated, total_rows: total, file };
    return { output: shown ? { ...output, dialects } : output };
  },
});
