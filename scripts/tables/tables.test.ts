import { describe, expect, it } from 'vitest';
import { findRowGenerics } from './find-row-generics.mjs';
import { findTables, getRoom, readTables } from './find-tables.mjs';

const tables = readTables([
  "export const apiKeys = pgTable(\n  'api_keys',",
  "export const jobs = pgTable('jobs', {",
]);

describe('the tables that a file names', () => {
  it('are found in SQL, and a write is distinguished from a read', () => {
    expect(findTables('sql`select 1 from jobs j join api_keys k on true`', tables)).toEqual(
      new Map([
        ['jobs', 'reads'],
        ['api_keys', 'reads'],
      ]),
    );
    for (const write of ['insert into jobs values (1)', 'update jobs set a = 1', 'DELETE FROM jobs'])
      expect(findTables(write, tables)).toEqual(new Map([['jobs', 'writes']]));
  });

  it('are found in calls of Drizzle', () => {
    expect(findTables('db.select().from(apiKeys)', tables)).toEqual(new Map([['api_keys', 'reads']]));
    expect(findTables('tx.update(jobs).set({})', tables)).toEqual(new Map([['jobs', 'writes']]));
  });

  it('are none where a word of prose is the name of a table', () => {
    expect(findTables('// these jobs are ours', tables).size).toBe(0);
  });
});

it('knows the room of a file by its layer and folder', () => {
  expect(getRoom('server/calls/jobs/store.ts')).toBe('calls/jobs');
  expect(getRoom('server/calls/store.ts')).toBe('calls');
});

describe('rows typed by a type argument', () => {
  it('are found by their line, for every way to run a statement', () => {
    for (const typed of [
      'sql<Row[]>`select 1`',
      'tx<[Row]>`select 1`',
      "sql<{ state: 'a' | 'b' }[]>`select 1`",
      'sql<\n  { id: string }[]\n>`select 1`',
      'db.execute<Row>(sql`select 1`)',
      'sql.unsafe<Row[]>(statement)',
    ])
      expect(findRowGenerics(`\n\nawait ${typed}`), typed).toHaveLength(1);
    expect(findRowGenerics('\n\nawait sql<Row[]>`select 1`')).toEqual([3]);
  });

  it('are not columns of Drizzle, or rows of a definition', () => {
    for (const other of [
      'sql<number>`count(*)::int`',
      'sql<string[]>`array_agg(id)`',
      'idRow.read(sql`select id from jobs`)',
      'idRow.read(db.execute(sql`select id from jobs`))',
      'const names: Record<string, Row[]> = {}',
    ])
      expect(findRowGenerics(other), other).toEqual([]);
  });
});
