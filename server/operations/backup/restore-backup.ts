import { pipeline } from 'node:stream/promises';
import { seed } from '@/db/seed';
import { buildBlobPrefix } from '../../assets/blob-keys';
import type { Runtime } from '../../core/runtime';
import { TO_UNRELEASED } from '../../platform/database/adopt-unreleased';
import { MIGRATION_LOCK, migrate } from '../../platform/database/migrate';
import { createFakeStripeTables } from '../../platform/ports/choose-ports';
import { BackupError, toBackupError } from './backup-error';
import { type Frame, readBackup } from './backup-file';
import {
  findDifferentSecrets,
  type Header,
  hasFakeStripe,
  isUnreleased,
  listMigrations,
  readHeader,
} from './header';
import {
  type BackedTable,
  copyIn,
  copyOut,
  countOtherClients,
  createUsageMonths,
  dropSchemas,
  fixFormats,
  isEmpty,
  listTables,
  runMigrations,
  setSequences,
} from './store';
import { type Digest, isSameDigest, TableDigest } from './table-digest';
import { inTransaction, type Tx } from './transaction';
import { verifyBackup } from './verify-backup';

/** What was restored. */
export interface RestoreReport {
  madeAt: string;
  rows: number;
  files: number;
  tables: Record<string, Digest>;
}

interface RestoreOptions {
  from: string;
  /** An empty database, or one of a gateway that was never used. */
  databaseUrl: string;
  /** Continues although the secrets differ: everything they sealed or signed is lost. */
  acceptOtherSecrets: boolean;
}

type Frames = AsyncIterator<Frame, unknown, undefined>;

/**
 * Restores a verified backup into an empty database, in one transaction: the tables of its version
 * and the rows, each table compared with its digest; then the newer migrations. A failure leaves
 * the database as it was. Files are stored first; if the restore fails, the sweep removes them.
 * @throws BackupError with a message for the operator
 */
export async function restoreBackup(
  runtime: Pick<Runtime, 'ports' | 'settings'>,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { header, ...restored } = await restoreRows(runtime, options);
  try {
    await migrate(options.databaseUrl);
    await seed(options.databaseUrl);
  } catch (cause) {
    throw toBackupError(
      'All rows were restored, but the database could not be migrated to this version',
      cause,
    );
  }
  const rows = Object.values(restored.tables).reduce((sum, table) => sum + table.rows, 0);
  return { madeAt: header.made_at, rows, ...restored };
}

async function restoreRows(
  runtime: Pick<Runtime, 'ports' | 'settings'>,
  { from, databaseUrl, acceptOtherSecrets }: RestoreOptions,
) {
  const frames = readBackup(from);
  try {
    await verifyBackup(from);
    const first = await frames.next();
    const header = readHeader(first.done || !('json' in first.value) ? null : first.value.json);
    const others = findDifferentSecrets(header, runtime.settings);
    if (others.length > 0 && !acceptOtherSecrets)
      throw new BackupError(
        `${others.join(', ')} differ from those of the backup: what they sealed or signed would be lost. ` +
          'Set the same ones, or pass --other-secrets.',
      );
    return await inTransaction(databaseUrl, '', async (tx) => {
      await assertUnused(tx);
      await createTables(tx, header);
      const tables = await loadTables(tx, header, frames);
      await setSequences(tx, header.sequences);
      const files = await storeFiles(runtime, frames);
      return { header, tables, files };
    });
  } catch (cause) {
    throw toBackupError('Nothing was restored', cause);
  } finally {
    await frames.return(undefined);
  }
}

async function assertUnused(tx: Tx): Promise<void> {
  await fixFormats(tx);
  await tx.query('select pg_advisory_xact_lock($1::bigint)', [MIGRATION_LOCK]);
  if ((await countOtherClients(tx)) > 0)
    throw new BackupError('A gateway or a worker is connected to this database: stop it first.');
  if (!(await isEmpty(tx)))
    throw new BackupError(
      'The database is not empty: restore into a new one (another DATA_DIR, another DATABASE_URL, or --into-new NAME).',
    );
}

async function createTables(tx: Tx, header: Header): Promise<void> {
  const migrations = listMigrations(header);
  await dropSchemas(tx);
  await runMigrations(tx, migrations);
  await createUsageMonths(tx, header.usage_months);
  if (hasFakeStripe(header)) await createFakeStripeTables((statements) => tx.query(statements));
  if (isUnreleased(header)) await tx.query(TO_UNRELEASED);
  await assertSameTables(tx, header);
}

/** The names come from a file, so they must be exactly the tables of the version it names. */
async function assertSameTables(tx: Tx, header: Header): Promise<void> {
  const formatNames = (tables: readonly BackedTable[]) =>
    tables
      .map(({ schema, name, columns }) => JSON.stringify([schema, name, [...columns].sort()]))
      .sort()
      .join('\n');
  if (formatNames(header.tables) !== formatNames(await listTables(tx)))
    throw new BackupError('Its tables are not those of the gateway version that it names.');
}

async function loadTables(tx: Tx, header: Header, frames: Frames): Promise<Record<string, Digest>> {
  const tables: Record<string, Digest> = {};
  for (const table of header.tables) {
    const name = `${table.schema}.${table.name}`;
    const begin = await nextJson(frames);
    if (begin.table !== name) throw new BackupError(`The backup is damaged: ${name} is missing.`);
    const stated = await loadTable(tx, table, frames);
    const actual = await computeDigest(tx, table);
    if (!isSameDigest(actual, stated))
      throw new BackupError(`The restored rows of ${name} differ from those that were backed up.`);
    tables[name] = actual;
  }
  return tables;
}

/** @returns the digest that the backup states for the table */
async function loadTable(tx: Tx, table: BackedTable, frames: Frames): Promise<unknown> {
  let stated: unknown;
  const rows = async function* () {
    for (;;) {
      const frame = await nextFrame(frames);
      if ('json' in frame) {
        stated = frame.json.table_end;
        return;
      }
      yield frame.data;
    }
  };
  try {
    await pipeline(rows, copyIn(tx, table));
  } catch (cause) {
    throw toBackupError(`PostgreSQL did not accept the rows of ${table.name}`, cause);
  }
  return stated;
}

async function computeDigest(tx: Tx, table: BackedTable): Promise<Digest> {
  const digest = new TableDigest();
  for await (const chunk of copyOut(tx, table)) digest.add(chunk);
  return digest.end();
}

/** Stores files under keys that depend on this gateway's own secret. */
async function storeFiles(
  { ports, settings }: Pick<Runtime, 'ports' | 'settings'>,
  frames: Frames,
): Promise<number> {
  const space = buildBlobPrefix(settings.claimSecret);
  let files = 0;
  for (;;) {
    const next = await frames.next();
    if (next.done) return files;
    const name = 'json' in next.value ? next.value.json.file : null;
    if (typeof name !== 'string' || !/^[\w.-]+\/[\w.-]+$/.test(name) || name.includes('..'))
      throw new BackupError('The backup is damaged: a file has no name.');
    await ports.blob.put(space + name, readFile(frames), 'application/octet-stream');
    files++;
  }
}

async function* readFile(frames: Frames): AsyncGenerator<Uint8Array> {
  for (;;) {
    const frame = await nextFrame(frames);
    if ('json' in frame) return;
    yield frame.data;
  }
}

async function nextFrame(frames: Frames): Promise<Frame> {
  const next = await frames.next();
  if (next.done) throw new BackupError('The backup is damaged: it ends too early.');
  return next.value as Frame;
}

async function nextJson(frames: Frames): Promise<Record<string, unknown>> {
  const frame = await nextFrame(frames);
  if (!('json' in frame)) throw new BackupError('The backup is damaged: rows without a table.');
  return frame.json;
}
