import { z } from 'zod';
import { fileInput } from '../sdk/file-schemas';
import type { CallFiles } from '../sdk/skill-context';
import type { Source } from './duckdb.mjs';

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
  delimiter: z
    .string()
    .length(1)
    .optional()
    .describe('Delimiter of a CSV, such as ; or a tab. Detected by default.'),
  header: z
    .boolean()
    .optional()
    .describe("Whether a CSV's first line has the column names. Detected by default."),
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

/** A row by column name. Not `z.record`, which drops a column named `__proto__`. */
export const rowOutput = z
  .unknown()
  .refine((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
  .meta({ type: 'object', additionalProperties: {} });

interface Reading {
  readonly file: string;
  readonly format: 'auto' | 'csv' | 'json' | 'parquet';
  readonly delimiter?: string | undefined;
  readonly header?: boolean | undefined;
}

/** Resolves a file to a path on disk, from which a worker loads a table. */
export async function openSource(
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

/** Saves a table that a worker has written as an asset. */
export function saveTable(files: CallFiles, path: string, name: string, format: TableFormat) {
  return files.save({ path }, { filename: `${name}.${format}`, contentType: MEDIA_TYPES[format] });
}

/** `orders.csv` → `orders`, to name derived files. */
export function baseName(filename: string): string {
  return filename.replace(/\.[^.]*$/, '') || 'table';
}
