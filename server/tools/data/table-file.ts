import { z } from 'zod';
import { fileInput } from '../sdk/file-schemas';
import type { CallFiles } from '../sdk/skill-context';
import type { Source } from './duckdb.mjs';

/** Bytes of one file. Tables are held in memory, several times as large as a packed file. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

const TYPE = 'text/csv';

export const tableFile = fileInput(
  'The table: CSV, JSON (a list of objects, or one object a line) or Parquet, up to 100 MiB.',
  TYPE,
);

/** How a file is read; the same in every skill. */
export const readingInput = {
  format: z
    .enum(['auto', 'csv', 'json', 'parquet'])
    .default('auto')
    .describe('Format of the file: auto looks into it (the default). json is also for one object a line.'),
  delimiter: z
    .string()
    .length(1)
    .optional()
    .describe('Character between the fields of a CSV, such as ; or a tab. Found by itself when left out.'),
  header: z
    .boolean()
    .optional()
    .describe("Whether a CSV's first line has the names of the columns. Found by itself when left out."),
};

/** Columns of a result. */
export const columnsOutput = z
  .array(
    z.object({
      name: z.string().describe('Name of the column.'),
      type: z.string().describe('SQL type, such as VARCHAR, BIGINT, DOUBLE, DATE.'),
    }),
  )
  .describe('The columns, in order.');

/** A row by column. Not `z.record`, which leaves out a column named `__proto__`. */
export const rowOutput = z
  .unknown()
  .refine((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
  .meta({ type: 'object', additionalProperties: {} });

interface Reading {
  readonly file: string;
  readonly format: 'auto' | 'csv' | 'json' | 'parquet';
  readonly delimiter?: string;
  readonly header?: boolean;
}

/** Puts a file on disk for a worker, which makes a table of it. */
export async function sourceOf(
  { file, format, delimiter, header }: Reading,
  table: string,
  files: CallFiles,
): Promise<Source & { sizeBytes: number }> {
  const { path, filename, sizeBytes } = await files.open(file, { maxBytes: MAX_FILE_BYTES });
  const given = format === 'auto' ? undefined : format;
  return { path, filename, sizeBytes, table, format: given, delimiter, header };
}

const MEDIA_TYPES = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type TableFormat = keyof typeof MEDIA_TYPES;
export const tableFormat = z.enum(['csv', 'json', 'jsonl', 'parquet']);

/** Keeps a table that a worker has written. */
export function saveTable(files: CallFiles, path: string, name: string, format: TableFormat) {
  return files.save({ path }, { filename: `${name}.${format}`, contentType: MEDIA_TYPES[format] });
}

/** `orders.csv` → `orders`: the name of what is made from it. */
export function baseName(filename: string): string {
  return filename.replace(/\.[^.]*$/, '') || 'table';
}
