import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadText } from './testing/load-text';

/** Test data of other projects; `sources` has their addresses and licences. */
const CORPUS = z.object({
  sources: z.record(z.string(), z.string()),
  files: z.array(
    z.object({
      file: z.string(),
      text: z.string().optional(),
      base64: z.string().optional(),
      encoding: z.string(),
      options: z
        .object({
          format: z.enum(['json']),
          delimiter: z.string(),
          quote: z.string(),
          escape: z.string(),
          decimal: z.enum([',']),
          dates: z.enum(['dmy']),
          header: z.boolean(),
          skip_lines: z.int(),
          encoding: z.string(),
        })
        .partial()
        .optional(),
      columns: z.int().optional(),
      rows: z.int().optional(),
      refused: z.string().optional(),
    }),
  ),
});
const content = readFileSync('server/tools/data/testing/table-corpus.json', 'utf8');
const { sources, files } = CORPUS.parse(JSON.parse(content));

describe('test data of other projects', () => {
  it('names its sources and is large enough', () => {
    expect(Object.keys(sources).sort()).toEqual(
      [...new Set(files.map(({ file }) => file.split('/')[0]))].sort(),
    );
    expect(new Set(files.map(({ file }) => file)).size).toBeGreaterThan(100);
  });

  it.each(files.map((file) => [`${file.file} ${JSON.stringify(file.options ?? {})}`, file] as const))(
    'is read with its rows and columns, or refused with the line: %s',
    async (_, { file, text, base64, encoding, options, columns, rows, refused }) => {
      const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
      const loading = loadText(bytes, { filename: basename(file), ...options });
      if (refused !== undefined) return await expect(loading).rejects.toThrow(refused);
      const loaded = await loading;
      expect({ columns: loaded.names.length, rows: loaded.rows.length }).toEqual({ columns, rows });
      expect(loaded.dialect.encoding).toBe(encoding);
    },
  );
});
