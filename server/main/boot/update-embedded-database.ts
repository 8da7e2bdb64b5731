import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpRows } from '../../operations/backup/make-backup';
import { countMissingMigrations, migrate } from '../../platform/database/migrate';
import { BootError } from '../../platform/process/boot-error';
import { readPrivateFile, writePrivateFile } from '../../platform/process/private-file';
import type { BootedSettings } from '../../platform/settings/settings';

const FOLDER = 'backups';
/** Other backups in the folder are the operator's. */
const OURS = /^before-update-[\dTZ-]+\.backup$/;
const KEPT = 2;
/** Contains the name of the first backup of an update that has not succeeded. */
const UNFINISHED = 'update-unfinished';

/**
 * Migrates the embedded database. If that changes it, its rows are backed up first, so that any
 * earlier version can be restored. Keeps the last two of these backups, and the first one of an
 * update that fails repeatedly: later ones may be of a database that is migrated in part.
 * @param folder of the migrations; for tests
 * @throws BootError if no backup can be written: nothing has been migrated then
 * @throws whatever `migrate` throws
 */
export async function updateEmbeddedDatabase(
  settings: BootedSettings,
  log: (message: string) => void,
  folder?: string,
): Promise<void> {
  const backups = join(settings.dataDir, FOLDER);
  if (settings.backupBeforeUpdate) {
    const missing = await countMissingMigrations(settings.databaseUrl, folder);
    if (missing !== null && missing > 0) await backUp(settings, backups, log);
  }
  await migrate(settings.databaseUrl, folder);
  await rm(join(backups, UNFINISHED), { force: true });
}

async function backUp(
  settings: BootedSettings,
  backups: string,
  log: (message: string) => void,
): Promise<void> {
  const moment = new Date().toISOString().replace(/[:.]/g, '-');
  const name = `before-update-${moment}.backup`;
  try {
    await mkdir(backups, { recursive: true, mode: 0o700 });
    await backUpRows(settings, join(backups, name));
    await removeOlder(backups, name);
  } catch (cause) {
    throw new BootError(
      `The database was not updated: ${cause instanceof Error ? cause.message : String(cause)}\n` +
        `Make ${backups} writable with enough space, or set BACKUP_BEFORE_UPDATE=0 to update without a backup.`,
      { cause },
    );
  }
  log(`Backed up the database before its update: ${join(backups, name)}`);
}

/** Counts the first and the newest backup of an unfinished update as one. */
async function removeOlder(backups: string, newest: string): Promise<void> {
  const ours = (await readdir(backups)).filter((name) => OURS.test(name)).sort();
  const marked = await readPrivateFile(join(backups, UNFINISHED));
  const first = marked !== null && ours.includes(marked) ? marked : newest;
  if (first !== marked) await writePrivateFile(join(backups, UNFINISHED), first);
  const kept = ours.filter((name) => name <= first || name === newest);
  const older = kept.slice(0, first === newest ? -KEPT : -KEPT - 1);
  for (const name of ours)
    if (!kept.includes(name) || older.includes(name)) await rm(join(backups, name), { force: true });
}
