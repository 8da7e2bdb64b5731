import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type postgres from 'postgres';
import { BootError } from '../process/boot-error';
import { type MigrationWaits, retryWhileBusy } from './retry-while-busy';
import { listApplied, recordMigration } from './run-migrations';

// Databases from before 0.1.0, whose 35 migrations became one. Delete this file, and what imports
// it, once nobody has such a database or backup (docs/decisions/0090).

/** The creation time of the last of those migrations, by which drizzle and backups know it. */
export const LAST_UNRELEASED = 1_795_855_285_046;

/** Makes empty tables of 0.1.0 those of that migration, for the rows of a backup. */
export const TO_UNRELEASED = `
  update drizzle.__drizzle_migrations set created_at = ${LAST_UNRELEASED};`;

/** Makes the schema of the last of those migrations the one of 0.1.0. */
const TO_RELEASED = `
  drop function if exists exchange_calls, open_queued_call, open_calls;
  drop table if exists drizzle.__oldest_programs;`;

/**
 * Brings a database of the last unreleased version to the schema of 0.1.0, in one transaction, and
 * records its migration as applied. Leaves other databases alone.
 * @param folder db/migrations
 * @throws BootError if the database is older
 */
export async function adoptUnreleased(
  sql: postgres.Sql,
  folder: string,
  waits: MigrationWaits,
): Promise<void> {
  const applied = await listApplied(sql);
  const [first] = readMigrationFiles({ migrationsFolder: folder });
  if (applied.size === 0 || !first || applied.has(first.folderMillis)) return;
  if (!applied.has(LAST_UNRELEASED))
    throw new BootError(
      'The database is from a version before 0.1.0 that this one cannot update: ' +
        'start commit 25dc4361 of the gateway on it once, then this version.',
    );
  await retryWhileBusy(waits, () => adopt(sql, first, waits.lockTimeoutMs));
}

async function adopt(sql: postgres.Sql, first: MigrationMeta, lockTimeoutMs: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
    await tx.unsafe(TO_RELEASED);
    await tx`delete from drizzle.__drizzle_migrations`;
    await recordMigration(tx, first.hash, first.folderMillis);
  });
}
