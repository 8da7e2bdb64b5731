import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../testing/harness';
import { madeUpMigrations } from '../../testing/migration-folder';
import { backUpBeforeUpdate } from './back-up-before-update';

// That the backup restores the version before is in back-up-before-update.deep.test.ts.

let harness: Harness;
let backups: string;
let migrations: string;
beforeAll(async () => {
  harness = await startHarness({ role: 'command' });
  const { dataDir } = harness.runtime.settings;
  backups = join(dataDir, 'backups');
  migrations = join(dataDir, 'migrations');
  await madeUpMigrations(migrations, { later: 'create table "later" ("id" integer)' });
});
afterAll(() => harness?.close());

it('only an update is backed up, and the last two of these backups stay', async () => {
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const { settings } = harness.runtime;
  await backUpBeforeUpdate(settings, log);
  await backUpBeforeUpdate({ ...settings, backupBeforeUpdate: false }, log, migrations);
  expect(logged).toEqual([]);
  await mkdir(backups);
  const names = ['before-update-2026-01-01T00-00-00-000Z', 'before-update-2026-01-02T00-00-00-000Z', 'mine'];
  for (const name of names) await writeFile(join(backups, `${name}.backup`), '');
  await backUpBeforeUpdate(settings, log, migrations);
  const kept = (await readdir(backups)).sort();
  const newest = expect.stringMatching(/^before-update-20\d\d-.*\.backup$/);
  expect(kept).toEqual([`${names[1]}.backup`, newest, 'mine.backup']);
  expect(logged).toEqual([`Backed up the database before its update: ${join(backups, String(kept[1]))}`]);
});

it('a backup that cannot be written stops the update, with what to do', async () => {
  await rm(backups, { recursive: true, force: true });
  await writeFile(backups, 'not a folder');
  const update = backUpBeforeUpdate(harness.runtime.settings, () => undefined, migrations);
  await expect(update).rejects.toThrow(/^The database was not updated: .*\n.*BACKUP_BEFORE_UPDATE=0/);
});
