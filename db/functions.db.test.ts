import { readdirSync, readFileSync } from 'node:fs';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/server/testing/database';

const FOLDER = new URL('./functions/', import.meta.url);
const names = readdirSync(FOLDER).map((file) => file.replace('.sql', ''));

let database: TestDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** How PostgreSQL itself would write each function of a schema. */
async function readSchema(schema: string): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; definition: string }[]>`
    select p.proname as name, pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${schema} and p.prokind = 'f'`;
  return new Map(rows.map(({ name, definition }) => [name, definition.replaceAll(`${schema}.`, '')]));
}

describe('db/functions', () => {
  it('is what the migrations make, function by function', async () => {
    const migrated = await readSchema('public');
    await sql.begin(async (tx) => {
      await tx`create schema from_files`;
      await tx`set local search_path = from_files, public`;
      // A function may call one that comes later in the order of names.
      await tx`set local check_function_bodies = off`;
      for (const name of names) await tx.unsafe(readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8'));
    });
    const fromFiles = await readSchema('from_files');
    expect([...migrated.keys()].sort()).toEqual([...names].sort());
    for (const name of names) expect(fromFiles.get(name), name).toBe(migrated.get(name));
  });
});

it('a window that is added later begins with the next call, not with one before it existed', async () => {
  const [row] = await sql`
    with two as (
      select window_starts('{}', '{60,3600}', now()) as started, window_use('{}', '{}', '{60,3600}', 1, now()) as used
    )
    select started[3] as third, used::text as used, window_use(started, used, '{60,3600,86400}', 1, now())::text as later
    from two`;
  expect(row).toEqual({ third: null, used: '{1,1,NULL}', later: '{2,2,1}' });
});
