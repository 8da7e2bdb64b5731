import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { madeUpMigrations } from '@/test/support/migration-folder';
import { updateEmbeddedDatabase } from './update-embedded-database';

// That the backup restores the version before is in update-embedded-database.deep.test.ts.

let harness: Harness;
let backups: string;
let logged: string[];
const log = (line: string) => void logged.push(line);
beforeAll(async () => {
  harness = await startHarness({ role: 'command' });
  backups = join(harness.runtime.settings.dataDir, 'backups');
});
afterAll(() => harness?.close());
beforeEach(async () => {
  logged = [];
  await rm(backups, { recursive: true, force: true });
});

/** Writes a release with these migrations; each test needs other times, as the database stays. */
async function createRelease(firstAt: number, migrations: Record<string, string>): Promise<string> {
  const folder = join(harness.runtime.settings.dataDir, `migrations-${firstAt}`);
  await madeUpMigrations(folder, migrations, firstAt);
  return folder;
}

async function addBackups(...names: string[]): Promise<void> {
  await mkdir(backups, { recursive: true });
  for (const name of names) await writeFile(join(backups, `${name}.backup`), '');
}

const listBackups = async () => (await readdir(backups)).sort();
const NEW = expect.stringMatching(/^before-update-20\d\d-.*\.backup$/);

it('only an update is backed up, and the last two of these backups stay', async () => {
  const { settings } = harness.runtime;
  const [first, second] = await Promise.all([
    createRelease(1, { first: 'create table "first_later" ("id" integer)' }),
    createRelease(2, { second: 'create table "second_later" ("id" integer)' }),
  ]);
  await updateEmbeddedDatabase(settings, log);
  await updateEmbeddedDatabase({ ...settings, backupBeforeUpdate: false }, log, first);
  expect(logged).toEqual([]);
  const older = ['before-update-2026-01-01T00-00-00-000Z', 'before-update-2026-01-02T00-00-00-000Z'] as const;
  await addBackups(...older, 'mine');
  await updateEmbeddedDatabase(settings, log, second);
  const kept = await listBackups();
  expect(kept).toEqual([`${older[1]}.backup`, NEW, 'mine.backup']);
  expect(logged).toEqual([`Backed up the database before its update: ${join(backups, String(kept[1]))}`]);
});

it('an update that fails repeatedly keeps its first backup and its newest @F37', async () => {
  const { settings, sql } = harness.runtime;
  const failing = { part: 'create table "part" ("id" integer)', fails: 'insert into "part_rows" values (1)' };
  const release = await createRelease(10, failing);
  const older = ['before-update-2026-01-01T00-00-00-000Z', 'before-update-2026-01-02T00-00-00-000Z'];
  await addBackups(...older);
  for (let start = 0; start < 4; start++)
    await expect(updateEmbeddedDatabase(settings, log, release)).rejects.toThrow('part_rows');
  const [first = '', , , last = ''] = logged.map((line) => basename(line));
  expect(await listBackups()).toEqual([`${older[1]}.backup`, first, last, 'update-unfinished']);

  await sql`create table "part_rows" ("id" integer)`;
  await updateEmbeddedDatabase(settings, log, release);
  const newest = basename(String(logged.at(-1)));
  expect(await listBackups()).toEqual([`${older[1]}.backup`, first, newest]);
  const next = await createRelease(20, { next: 'create table "next" ("id" integer)' });
  await updateEmbeddedDatabase(settings, log, next);
  expect(await listBackups()).toEqual([newest, NEW]);
});

it('a backup that cannot be written stops the update, with what to do', async () => {
  await writeFile(backups, 'not a folder');
  const release = await createRelease(30, { last: 'create table "last" ("id" integer)' });
  const update = updateEmbeddedDatabase(harness.runtime.settings, log, release);
  await expect(update).rejects.toThrow(/^The database was not updated: .*\n.*BACKUP_BEFORE_UPDATE=0/);
});
