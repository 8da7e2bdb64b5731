import { describe, expect, it } from 'vitest';
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
