import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDatabase } from '../duckdb.mjs';
import { readRows } from '../json-values.mjs';
import { loadTable, type Source } from '../load-table.mjs';

type Reading = Partial<Omit<Source, 'path' | 'scratch' | 'table'>> & { sql?: string };

/**
 * Loads a file as the table `t1` like the skills do, but in this process.
 * @param content text as UTF-8, or bytes
 * @throws {Refusal} as the skills do
 */
export async function loadText(content: string | Uint8Array, { sql = 'FROM t1', ...reading }: Reading = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'load-text-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, content);
    const source = { filename: 'file.csv', ...reading, path, scratch: join(folder, 'scratch'), table: 't1' };
    return await withDatabase(async (connection) => {
      const dialect = await loadTable(connection, source);
      const described = readRows(await connection.runAndReadAll('DESCRIBE t1'));
      return {
        dialect,
        types: Object.fromEntries(described.map((row) => [String(row.column_name), String(row.column_type)])),
        names: described.map((row) => String(row.column_name)),
        rows: readRows(await connection.runAndReadAll(sql)),
      };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
