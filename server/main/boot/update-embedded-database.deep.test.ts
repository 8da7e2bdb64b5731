import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { madeUpMigrations } from '@/test/support/migration-folder';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { restoreBackup } from '../../operations/backup/restore-backup';
import { type Booted, boot } from './boot';

let cwd: string;
let migrations: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
  migrations = join(cwd, 'migrations');
});
afterEach(() => removeFolder(cwd));

async function inGateway<T>(
  work: (sql: postgres.Sql, booted: Booted) => Promise<T>,
  options: { migrations?: string } = {},
): Promise<{ result: T; logged: string[] }> {
  const logged: string[] = [];
  const env = { NODE_ENV: undefined };
  const booted = await boot({ cwd, log: (line) => logged.push(line), ...options, env });
  const sql = postgres(booted.settings.databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    return { result: await work(sql, booted), logged };
  } finally {
    await sql.end();
    await booted.stop();
  }
}

it('an update backs up the embedded database first, and the version before restores that @F37', async () => {
  const backups = join(cwd, '.data/backups');
  const first = await inGateway((sql) => sql`insert into users (id, email) values ('user_1', 'a@b.test')`);
  expect(first.logged).toEqual([]);
  await madeUpMigrations(migrations, { later: 'delete from "users"' });
  const update = await inGateway((sql) => sql`select from users where id = 'user_1'`, { migrations });
  expect(update.result).toHaveLength(0);
  const [kept = ''] = await readdir(backups);
  const from = join(backups, kept);
  expect(update.logged).toEqual([`Backed up the database before its update: ${from}`]);

  await rename(join(cwd, '.data/postgres'), join(cwd, '.data/postgres-of-the-update'));
  const { result } = await inGateway(async (sql, { settings }) => {
    const options = { from, databaseUrl: settings.databaseUrl, acceptOtherSecrets: false };
    await restoreBackup({ settings, ports: {} as never }, options);
    return await sql`select email from users where id = 'user_1'`;
  });
  expect(result).toEqual([{ email: 'a@b.test' }]);
  expect(await readdir(backups)).toEqual([kept]);
});
