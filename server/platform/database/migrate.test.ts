import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { emptyDatabase, madeUpMigrations } from '@/test/support/migration-folder';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { ensureDatabase, migrate } from './migrate';
import type { Program } from './register-program';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), temporaryFolder()]);
});
afterAll(async () => {
  await database.drop();
  await removeFolder(folder);
});

it('two processes that start at the same time migrate once', async () => {
  await mkdir(join(folder, 'meta'));
  await writeFile(join(folder, '0000_first.sql'), 'create table migrated_once (n int);');
  const entry = { idx: 0, version: '7', when: 4_102_444_800_000, tag: '0000_first', breakpoints: true };
  await writeFile(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] }),
  );
  await Promise.all([migrate(database.url, folder), migrate(database.url, folder)]);
  const sql = postgres(database.url, { max: 1 });
  expect(await sql`select * from migrated_once`).toHaveLength(0);
  await sql.end();
});

it('does nothing without migrations', async () => {
  await migrate(database.url, join(folder, 'missing'));
});

it('reports a wrong DATABASE_URL without its password', async () => {
  const unreachable = ensureDatabase('postgres://someone:hunter2@127.0.0.1:1/gateway');
  await expect(unreachable).rejects.toThrow(/127\.0\.0\.1:1\/gateway \(user someone\)/);
  await expect(unreachable).rejects.not.toThrow(/hunter2/);
});

it('an upgrade over two releases lets the old version start, unless migrations of the last have run', async () => {
  const [first, second, third] = [
    { '0000_one': 'create table one (n int)' },
    { '0001_two': 'select missing_function()' },
    { '0002_three': 'select missing_function()' },
  ];
  const old = { version: '1.0.0', oldest: '1.0.0' };
  const next = { version: '3.0.0', oldest: '2.0.0', oldestMigration: '0001_two' };
  const start = async (name: string, migrations: object, program: Program) => {
    await madeUpMigrations(join(folder, name), migrations as Record<string, string>);
    await migrate(database.url, join(folder, name), undefined, program);
  };
  await emptyDatabase(database.url);
  await start('old', first, old);
  await expect(start('failing', { ...first, ...second, ...third }, next)).rejects.toThrow('missing_function');
  await start('old', first, old);
  const added = { '0001_two': 'create table two (n int)' };
  await expect(start('next', { ...first, ...added, ...third }, next)).rejects.toThrow('missing_function');
  await expect(start('old', first, old)).rejects.toThrow(/^Version 3\.0\.0 has upgraded the database/);
});
