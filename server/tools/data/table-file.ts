import { z } from 'zod';
import { fileInput } from '../sdk/file-schemas';
import type { CallFiles } from '../sdk/skill-context';
import type { Source } from './load-table.mjs';

/** Bytes per file. Tables are held in memory, several times as large as a compressed file. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

const TYPE = 'text/csv';

export const tableFile = fileInput(
  'The table: CSV, JSON (a list of objects, or one object a line) or Parquet, up to 100 MiB.',
  TYPE,
);

/** Input fields that define how a file is read, shared by all skills of this tool. */
export const readingInput = {
  format: z
    .enum(['auto', 'csv', 'json', 'parquet'])
    .default('auto')
    .describe('Format of the file: auto (the default) detects it. json also covers one object a line.'),
  encoding: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .optional()
    .describe(
      'Encoding of a CSV or JSON file, such as windows-1252, iso-8859-2 or utf-16le. By default: its byte order mark, UTF-8 if valid, else windows-1252 for a CSV.',
    ),
  delimiter: z
    .string()
    .length(1)
    .optional()
    .describe('Delimiter of a CSV, such as ; or a tab. By default the most frequent one of the first line.'),
  quote: z
    .string()
    .max(1)
    .optional()
    .describe('Quote around values of a CSV: " by default; empty if the file has none.'),
  escape: z
    .string()
    .length(1)
    .optional()
    .describe(
      'Character in front of a quote within a quoted value of a CSV, such as \\; by default such a quote is written twice.',
    ),
  header: z
    .boolean()
    .optional()
    .describe(
      "Whether a CSV's first line has the column names. By default it has, unless one of them is a number, a date or an address.",
    ),
  skip_lines: z
    .int()
    .min(0)
    .max(1_000)
    .optional()
    .describe('Lines of a CSV in front of the table, such as a title; 0 by default.'),
  decimal: z.enum(['.', ',']).optional().describe('Decimal separator of the numbers in a CSV: . by default.'),
  thousands: z
    .enum(['.', ',', ' ', "'"])
    .optional()
    .describe(
      'Separator between groups of three digits in the numbers of a CSV, as in 1.234,56; none by default.',
    ),
  dates: z
    .enum(['iso', 'dmy', 'mdy'])
    .optional()
    .describe(
      'Order in dates of a CSV such as 02/01/2026: dmy (2 January) or mdy (February 1). By default only ISO dates (2026-01-02) are dates and others stay text.',
    ),
};

/** How a file was read. Outputs of v1 may only grow, so the field is optional everywhere. */
export const dialectOutput = z
  .object({
    format: z.enum(['csv', 'json', 'parquet']).describe('Format of the file.'),
    encoding: z.string().optional().describe('Encoding of the text, such as utf-8 or windows-1252.'),
    delimiter: z.string().nullish().describe('Delimiter of a CSV; null if it has one column.'),
    quote: z.string().optional().describe('Quote of a CSV; empty for none.'),
    header: z.boolean().optional().describe('Whether the first line of a CSV was taken as column names.'),
    escape: z.string().optional().describe('Character in front of quotes within quoted values, if given.'),
    decimal: z.string().optional().describe('Decimal separator of a CSV.'),
    thousands: z.string().optional().describe('Separator between groups of three digits, if given.'),
    dates: z.string().optional().describe('Order of dates in a CSV besides ISO dates: iso, dmy or mdy.'),
    skipped_lines: z
      .int()
      .optional()
      .describe('Lines of a CSV that are no rows: in front of the table, and empty lines.'),
    filled_rows: z
      .int()
      .optional()
      .describe('Rows of a CSV with fewer values than columns; the missing ones are null.'),
    notes: z.array(z.string()).describe('What was assumed, and how to say otherwise.'),
  })
  .describe('How the file was read.');

/** Columns of a result. */
export const columnsOutput = z
  .array(
    z.object({
      name: z.string().describe('Name of the column.'),
      type: z.string().describe('SQL type, such as VARCHAR, BIGINT, DOUBLE, DATE.'),
    }),
  )
  .describe('The columns, in order.');

/** A row by column name. Not `z.record`, which drops a column named `__proto__`. */
export const rowOutput = z
  .unknown()
  .refine((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
  .meta({ type: 'object', additionalProperties: {} });

interface Reading extends Partial<Omit<Source, 'path' | 'filename' | 'table' | 'format' | 'scratch'>> {
  readonly file: string;
  readonly format: 'auto' | 'csv' | 'json' | 'parquet';
}

/** Resolves a file to a path on disk, from which a worker loads a table. */
export async function openSource(
  { file, format, ...reading }: Reading,
  table: string,
  files: CallFiles,
  maxBytes = MAX_FILE_BYTES,
): Promise<Source & { sizeBytes: number }> {
  const { path, filename, sizeBytes } = await files.open(file, { maxBytes });
  const given = format === 'auto' ? undefined : format;
  return { path, filename, sizeBytes, scratch: await files.scratch('csv'), table, format: given, ...reading };
}

const MEDIA_TYPES = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type TableFormat = keyof typeof MEDIA_TYPES;
export const tableFormat = z.enum(['csv', 'json', 'jsonl', 'parquet']);

/** Saves a table that a worker has written as an asset. */
export function saveTable(files: CallFiles, path: string, name: string, format: TableFormat) {
  return files.save({ path }, { filename: `${name}.${format}`, contentType: MEDIA_TYPES[format] });
}

/** `orders.csv` → `orders`, to name derived files. */
export function baseName(filename: string): string {
  return filename.replace(/\.[^.]*$/, '') || 'table';
}
