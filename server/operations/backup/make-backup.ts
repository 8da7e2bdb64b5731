import { rmSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { buildBlobPrefix } from '../../assets/blob-keys';
import type { Runtime } from '../../core/runtime';
import { guarded } from '../../kit/guarded';
import type { BlobStore } from '../../platform/ports/ports';
import { syncFolder } from '../../platform/process/private-file';
import type { BootedSettings } from '../../platform/settings/settings';
import { BackupError, toBackupError } from './backup-error';
import { BackupWriter } from './backup-file';
import { createHeader } from './header';
import { createPartName, removeStaleParts } from './part-file';
import {
  type BackedTable,
  copyOut,
  fixFormats,
  listTables,
  listUsageMonths,
  lockTables,
  readMigration,
  readSequences,
} from './store';
import { type Digest, TableDigest } from './table-digest';
import { inTransaction, type Tx } from './transaction';

/** What a backup contains. */
export interface BackupReport {
  path: string;
  bytes: number;
  rows: number;
  files: number;
  /** By `schema.table`: equal for two databases with the same rows. */
  tables: Record<string, Digest>;
  /** Files in the same folder of backups on other machines, which may still run or were killed. */
  unfinished: string[];
}

interface BackupOptions {
  /** A file that must not exist yet, or a folder, in which the file is named after the time. */
  to: string;
  /** Whether to include the contents of users' files. */
  files: boolean;
  /** Opens the file; tests pass slow and failing streams. */
  open?: (path: string) => Writable;
}

const SNAPSHOT = 'isolation level repeatable read read only';

/**
 * Writes a snapshot of all rows into a file without blocking a running gateway. The file gets its
 * final name once it is complete. Secrets in it are hashed or sealed, as in the database.
 * @throws BackupError with a message for the operator
 */
export async function createBackup(
  runtime: Pick<Runtime, 'ports' | 'settings'>,
  options: BackupOptions,
): Promise<BackupReport> {
  const { settings, ports } = runtime;
  return await writeBackup(settings, options, options.files ? ports.blob : null);
}

/** As `createBackup`, without users' files: before the ports of the gateway exist. */
export async function backUpRows(settings: BootedSettings, to: string): Promise<BackupReport> {
  return await writeBackup(settings, { to }, null);
}

async function writeBackup(
  settings: BootedSettings,
  { to, open }: Pick<BackupOptions, 'to' | 'open'>,
  blob: BlobStore | null,
): Promise<BackupReport> {
  try {
    return await writeFile(settings, await choosePath(to), blob, open);
  } catch (cause) {
    throw toBackupError('No backup was written', cause);
  }
}

async function writeFile(
  settings: BootedSettings,
  path: string,
  blob: BlobStore | null,
  open: BackupOptions['open'],
): Promise<BackupReport> {
  const unfinished = await removeStaleParts(dirname(path));
  const part = createPartName(path);
  const removeNow = guarded(() => rmSync(part, { force: true }));
  // A signal ends the process without returning here.
  process.once('exit', removeNow);
  const writer = new BackupWriter(part, open);
  try {
    const { tables, names } = await inTransaction(settings.databaseUrl, SNAPSHOT, (tx) =>
      writeTables(tx, settings, writer, blob !== null),
    );
    const count =
      blob === null ? 0 : await writeFiles(blob, buildBlobPrefix(settings.claimSecret), writer, names);
    await writer.end();
    const { size } = await stat(part);
    await rename(part, path);
    await syncFolder(dirname(path));
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    return { path, bytes: size, rows, files: count, tables, unfinished };
  } catch (error) {
    await writer.abandon();
    await rm(part, { force: true });
    throw error;
  } finally {
    process.off('exit', removeNow);
  }
}

async function choosePath(to: string): Promise<string> {
  const there = await stat(to).catch(() => null);
  if (there?.isDirectory()) {
    const moment = new Date().toISOString().replace(/[:.]/g, '-');
    return join(to, `tool-gateway-${moment}.backup`);
  }
  if (there) throw new BackupError(`${to} already exists: name another file, or a folder.`);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  return to;
}

async function writeTables(tx: Tx, settings: BootedSettings, writer: BackupWriter, files: boolean) {
  await fixFormats(tx);
  const listed = await listTables(tx);
  await lockTables(tx, listed);
  const migration = await readMigration(tx);
  if (migration === null) throw new BackupError('The database has no tables of the gateway.');
  const header = createHeader(settings, {
    migration,
    usage_months: await listUsageMonths(tx),
    sequences: await readSequences(tx),
    tables: listed,
    files,
  });
  await writer.json(header);
  const tables: Record<string, Digest> = {};
  for (const table of listed) tables[`${table.schema}.${table.name}`] = await writeTable(tx, writer, table);
  const assets = files
    ? await tx.query<{ id: string }>('select id from assets where deleted_at is null')
    : [];
  return { tables, names: new Set(assets.map(({ id }) => id)) };
}

async function writeTable(tx: Tx, writer: BackupWriter, table: BackedTable): Promise<Digest> {
  const digest = new TableDigest();
  await writer.json({ table: `${table.schema}.${table.name}` });
  for await (const chunk of copyOut(tx, table)) {
    digest.add(chunk);
    await writer.data(chunk);
  }
  const sum = digest.end();
  await writer.json({ table_end: sum });
  return sum;
}

/** Writes the files that have a row, with thumbnails. A file that is deleted now is left out. */
async function writeFiles(blob: BlobStore, space: string, writer: BackupWriter, ids: ReadonlySet<string>) {
  let count = 0;
  for (const key of await listKeys(blob, space, ids)) {
    const bytes = await blob.read(key);
    if (bytes === null) continue;
    await writer.json({ file: key.slice(space.length) });
    for await (const chunk of bytes) await writer.data(Buffer.from(chunk));
    await writer.json({ file_end: true });
    count++;
  }
  return count;
}

async function listKeys(blob: BlobStore, space: string, ids: ReadonlySet<string>): Promise<string[]> {
  const keys = new Set<string>();
  for await (const key of blob.list(space)) {
    const id = key.split('/').at(-1)?.split('.')[0] ?? '';
    if (ids.has(id)) keys.add(key);
  }
  return [...keys].sort();
}
