import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { installFunctions } from './install-functions';
import { migrate } from './migrate';
import { MIGRATION_WAITS } from './retry-while-busy';

let database: TestDatabase;
let sql: postgres.Sql;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  await sql`create schema app`;
  await sql`set search_path = app`;
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  await sql`delete from drizzle.__functions`;
  return () => removeFolder(folder);
});

const write = (name: string, text: string) =>
  writeFile(join(folder, `${name}.sql`), `CREATE OR REPLACE FUNCTION ${name}${text};\n`);
const install = () => installFunctions(sql, folder, MIGRATION_WAITS);
const list = async () =>
  await sql<{ id: number; signature: string; xmin: string }[]>`
    select oid as id, oid::regprocedure::text as signature, xmin from pg_proc
    where pronamespace = 'app'::regnamespace order by proname`;
const signatures = async () => (await list()).map(({ signature }) => signature);

it('a function whose file changed is replaced in place, others are left alone', async () => {
  await write('callee', '() RETURNS int LANGUAGE sql RETURN 1');
  await write('a_caller', '() RETURNS int LANGUAGE sql RETURN callee() + 1');
  await install();
  const [caller, callee] = await list();
  await write('a_caller', '() RETURNS int LANGUAGE sql RETURN callee() + 2');
  await install();
  expect(await sql`select a_caller() as n`).toEqual([{ n: 3 }]);
  const after = await list();
  expect(after.map(({ id }) => id)).toEqual([caller?.id, callee?.id]);
  expect(after[1]).toEqual(callee);
  await install();
  expect(await list()).toEqual(after);
});

it('functions without a file are dropped, also those that call each other', async () => {
  await write('gone', '() RETURNS int LANGUAGE sql RETURN 1');
  await write('gone_too', '() RETURNS int LANGUAGE sql RETURN gone()');
  await write('stays', '() RETURNS int LANGUAGE sql RETURN 1');
  await install();
  for (const name of ['gone', 'gone_too']) await rm(join(folder, `${name}.sql`));
  await install();
  expect(await signatures()).toEqual(expect.arrayContaining(['stays()']));
  expect(await signatures()).not.toEqual(expect.arrayContaining(['gone()']));
  expect(await sql`select name from drizzle.__functions`).toEqual([{ name: 'stays' }]);
});

it.each([
  ['parameters', '(p int, q int) RETURNS int LANGUAGE sql RETURN p', 'shifty(integer,integer)'],
  ['result', '(p int) RETURNS text LANGUAGE sql RETURN p::text', 'shifty(integer)'],
])('a function with other %s takes the place of the old one', async (_, text, signature) => {
  await write('shifty', '(p int) RETURNS int LANGUAGE sql RETURN p');
  await install();
  await write('shifty', text);
  await install();
  expect((await signatures()).filter((name) => name.startsWith('shifty'))).toEqual([signature]);
  await rm(join(folder, 'shifty.sql'));
  await install();
});

it('a file that PostgreSQL refuses is named, and nothing is installed', async () => {
  await write('fine', '() RETURNS int LANGUAGE sql RETURN 1');
  await write('wrong', '() RETURNS int LANGUAGE sql RETURN missing()');
  await expect(install()).rejects.toThrow(/^db\/functions\/wrong\.sql: .*missing\(\)/);
  expect(await signatures()).not.toContain('fine()');
});

it('a start with the same functions writes nothing', async () => {
  const read = async () =>
    await sql`
      select relname, n_tup_ins + n_tup_upd + n_tup_del as changes, (select max(xmin::text::bigint) from pg_proc) as newest
      from pg_stat_user_tables where schemaname = 'drizzle' order by 1`;
  await migrate(database.url);
  await sql`select pg_stat_force_next_flush()`;
  const before = await read();
  await migrate(database.url);
  expect(await read()).toEqual(before);
});
