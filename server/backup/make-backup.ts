import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { connect } from '@/db/client';
import { blobSpace } from '../assets/blob-keys';
import { syncFolder } from '../boot/private-file';
import type { BlobStore } from '../ports/ports';
import type { Runtime } from '../runtime';
import { BackupError } from './backup-error';
import { BackupWriter } from './backup-file';
import { makeHeader } from './header';
import {
  type BackedTable,
  copyOut,
  fixFormats,
  hasStandin,
  holdTables,
  listTables,
  listUsageMonths,
  readMigration,
  readSequences,
  type Tx,
} from './store';
import { type Digest, TableDigest } from './table-digest';

/** What a backup holds. */
export interface BackupReport {
  path: string;
  bytes: number;
  rows: number;
  files: number;
  /** By `schema.table`: equal in two databases where their rows are. */
  tables: Record<string, Digest>;
}

interface BackupOptions {
  /** A file that must not be there yet, or a folder, in which one is made that is named after the moment. */
  to: string;
  /** With the bytes of people's files. */
  files: boolean;
}

/**
 * Writes all rows, as they are at one moment, into a file: beside a gateway that serves, without keeping it from anything.
 * The file appears under its name when it is whole. Secrets in it are hashed or sealed, as in the database.
 * @throws BackupError with a message for the operator
 */
export async function makeBackup(runtime: Runtime, { to, files }: BackupOptions): Promise<BackupReport> {
  const path = await choosePath(to);
  const part = `${path}.part`;
  await rm(part, { force: true });
  const writer = new BackupWriter(part);
  const { sql, close } = connect(runtime.settings.databaseUrl, 1);
  try {
    const { tables, names } = await sql.begin('isolation level repeatable read read only', (tx) =>
      writeTables(tx, runtime, writer, files),
    );
    const count = files ? await writeFiles(runtime, writer, names) : 0;
    await writer.end();
    const { size } = await stat(part);
    await rename(part, path);
    await syncFolder(dirname(path));
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    return { path, bytes: size, rows, files: count, tables };
  } catch (error) {
    await writer.abandon();
    await rm(part, { force: true });
    throw error;
  } finally {
    await close();
  }
}

async function choosePath(to: string): Promise<string> {
  const there = await stat(to).catch(() => null);
  if (there?.isDirectory()) {
    const moment = new Date().toISOString().replace(/[:.]/g, '-');
    return join(to, `tool-gateway-${moment}.backup`);
  }
  if (there) throw new BackupError(`${to} is there already: name another file, or a folder.`);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  return to;
}

async function writeTables(tx: Tx, { settings }: Runtime, writer: BackupWriter, files: boolean) {
  await fixFormats(tx);
  const listed = await listTables(tx);
  await holdTables(tx, listed);
  const migration = await readMigration(tx);
  if (migration === null) throw new BackupError('The database has no tables of the gateway.');
  const header = makeHeader(settings, {
    migration,
    usage_months: await listUsageMonths(tx),
    standin: await hasStandin(tx),
    sequences: await readSequences(tx),
    tables: listed,
    files,
  });
  await writer.json(header);
  const tables: Record<string, Digest> = {};
  for (const table of listed) tables[`${table.schema}.${table.name}`] = await writeTable(tx, writer, table);
  const kept = files ? await tx<{ id: string }[]>`select id from assets where deleted_at is null` : [];
  return { tables, names: new Set(kept.map(({ id }) => id)) };
}

async function writeTable(tx: Tx, writer: BackupWriter, table: BackedTable): Promise<Digest> {
  const digest = new TableDigest();
  await writer.json({ table: `${table.schema}.${table.name}` });
  let failure: unknown;
  for await (const chunk of await copyOut(tx, table)) {
    // Read to its end also after a failure: only then can the transaction end.
    if (failure) continue;
    digest.add(chunk);
    try {
      await writer.data(chunk);
    } catch (error) {
      failure = error;
    }
  }
  if (failure) throw failure;
  const sum = digest.end();
  await writer.json({ table_end: sum });
  return sum;
}

/** The bytes of the files that have a row, thumbnails with them. One that is removed meanwhile is left out. */
async function writeFiles({ ports, settings }: Runtime, writer: BackupWriter, ids: ReadonlySet<string>) {
  const space = blobSpace(settings.claimSecret);
  let count = 0;
  for (const key of await keysOf(ports.blob, space, ids)) {
    const bytes = await ports.blob.read(key);
    if (bytes === null) continue;
    await writer.json({ file: key.slice(space.length) });
    for await (const chunk of bytes) await writer.data(Buffer.from(chunk));
    await writer.json({ file_end: true });
    count++;
  }
  return count;
}

async function keysOf(blob: BlobStore, space: string, ids: ReadonlySet<string>): Promise<string[]> {
  const keys = new Set<string>();
  for await (const key of blob.list(space)) {
    const id = key.split('/').at(-1)?.split('.')[0] ?? '';
    if (ids.has(id)) keys.add(key);
  }
  return [...keys].sort();
}
