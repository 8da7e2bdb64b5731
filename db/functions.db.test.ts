import { readdirSync } from 'node:fs';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('the database has the functions of the files, and no others', async () => {
  const rows = await sql`select proname from pg_proc where pronamespace = 'public'::regnamespace`;
  expect(rows.map(({ proname }) => proname).sort()).toEqual(names.sort());
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
