import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import postgres from 'postgres';
import { fromRoot } from '../../kit/from-root';
import { BootError, errorCode } from '../process/boot-error';
import { adoptUnreleased } from './adopt-unreleased';
import { installFunctions } from './install-functions';
import { FUNCTIONS } from './read-functions';
import { type Program, readProgram, refuseOldProgram, registerProgram } from './register-program';
import { MIGRATION_WAITS, type MigrationWaits } from './retry-while-busy';
import { listApplied, runMigrations } from './run-migrations';

export const MIGRATIONS = fromRoot('db/migrations');
/** An arbitrary number: processes that start at the same time migrate one after the other. */
export const MIGRATION_LOCK = 7_305_112_043;
const LOCK_POLL_MS = 250;
const CONNECT_TIMEOUT_S = 10;
const INVALID_CATALOG_NAME = '3D000';

/**
 * Migrates the database to the schema and the SQL functions of this version; safe to run from
 * several processes at once. Without migrations it does nothing. If a later version has been here,
 * its functions stay.
 * @throws BootError if a later release has upgraded the database, or a table stays busy
 * @param folder of the migrations; another than db/migrations has no functions
 * @param waits for busy tables; for tests
 * @param program this one; for tests
 */
export async function migrate(
  url: string,
  folder = MIGRATIONS,
  waits: MigrationWaits = MIGRATION_WAITS,
  program?: Program,
): Promise<void> {
  if (!existsSync(join(folder, 'meta/_journal.json'))) return;
  // One connection: the advisory lock belongs to its session, in which the migrations must run.
  const sql = connect(url);
  try {
    await acquireMigrationLock(sql);
    if (folder === MIGRATIONS) await adoptUnreleased(sql, folder, waits);
    const own = program ?? (await readProgram());
    const isLatest = await refuseOldProgram(sql, own);
    // If one of these fails, the version that ran before must be able to start again.
    if (own.oldestMigration) await runMigrations(sql, folder, waits, own.oldestMigration);
    await registerProgram(sql, own);
    const knowsAll = await runMigrations(sql, folder, waits);
    if (folder !== MIGRATIONS) return;
    if (isLatest && knowsAll) await installFunctions(sql, FUNCTIONS, waits);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * How many migrations the database lacks.
 * @returns null if it has no tables of the gateway yet
 */
export async function countMissingMigrations(url: string, folder = MIGRATIONS): Promise<number | null> {
  const sql = connect(url);
  try {
    const applied = await listApplied(sql);
    if (applied.size === 0) return null;
    const all = readMigrationFiles({ migrationsFolder: folder });
    return all.filter(({ folderMillis }) => !applied.has(folderMillis)).length;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Polls, because waiting inside the database is an open transaction, for which CREATE INDEX
 * CONCURRENTLY would wait.
 */
async function acquireMigrationLock(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [row] = await sql`select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`;
    if (row?.taken) return;
    await sleep(LOCK_POLL_MS);
  }
}

/**
 * Creates the database of the URL if it is missing and its user may.
 * @throws BootError saying what to fix; it never shows the password
 */
export async function ensureDatabase(url: string): Promise<void> {
  const sql = connect(url);
  try {
    await sql`select 1`;
  } catch (error) {
    if (errorCode(error) !== INVALID_CATALOG_NAME) throw toConnectError(url, error);
    await createDatabase(url);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function createDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  const name = decodeURIComponent(maintenance.pathname.slice(1));
  maintenance.pathname = '/postgres';
  const sql = connect(maintenance.href);
  try {
    await sql`create database ${sql(name)}`;
  } catch (cause) {
    throw new BootError(
      `The database ${name} of DATABASE_URL does not exist and cannot be created (${describeError(cause)}).\n` +
        `Create it as an administrator: create database "${name}";`,
      { cause },
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function toConnectError(url: string, cause: unknown): BootError {
  const { host, pathname, username } = new URL(url);
  return new BootError(
    `PostgreSQL at ${host}${pathname} (user ${username || 'none'}) cannot be used: ${describeError(cause)}.\n` +
      'Check DATABASE_URL and that the server runs; or unset it to use the embedded PostgreSQL.',
    { cause },
  );
}

function connect(url: string) {
  return postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_S, onnotice: () => undefined });
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message || errorCode(error) || error.name : String(error);
}
