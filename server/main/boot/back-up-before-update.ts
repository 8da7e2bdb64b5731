import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpRows } from '../../operations/backup/make-backup';
import { countMissingMigrations } from '../../platform/database/migrate';
import { BootError } from '../../platform/process/boot-error';
import type { BootedSettings } from '../../platform/settings/settings';

const FOLDER = 'backups';
/** Other backups in the folder are the operator's. */
const OURS = /^before-update-[\dTZ-]+\.backup$/;
const KEPT = 2;

/**
 * Backs up the rows of the embedded database if this version is about to migrate it, so that any
 * earlier version can be restored. Keeps the last two of these backups.
 * @param folder of the migrations; for tests
 * @throws BootError if no backup can be written: nothing has been migrated then
 */
export async function backUpBeforeUpdate(
  settings: BootedSettings,
  log: (message: string) => void,
  folder?: string,
): Promise<void> {
  if (!settings.backupBeforeUpdate) return;
  const missing = await countMissingMigrations(settings.databaseUrl, folder);
  if (missing === null || missing === 0) return;
  const backups = join(settings.dataDir, FOLDER);
  const moment = new Date().toISOString().replace(/[:.]/g, '-');
  const to = join(backups, `before-update-${moment}.backup`);
  try {
    await mkdir(backups, { recursive: true, mode: 0o700 });
    await backUpRows(settings, to);
  } catch (cause) {
    throw new BootError(
      `The database was not updated: ${cause instanceof Error ? cause.message : String(cause)}\n` +
        `Make ${backups} writable with enough space, or set BACKUP_BEFORE_UPDATE=0 to update without a backup.`,
      { cause },
    );
  }
  log(`Backed up the database before its update: ${to}`);
  const ours = (await readdir(backups)).filter((name) => OURS.test(name)).sort();
  for (const name of ours.slice(0, -KEPT)) await rm(join(backups, name), { force: true });
}
