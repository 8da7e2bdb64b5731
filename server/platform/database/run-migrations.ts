import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type postgres from 'postgres';
import { z } from 'zod';
import { parseJson } from '../../kit/parse-json';
import { type MigrationWaits, retryWhileBusy } from './retry-while-busy';

/** First line of a migration that cannot run in a transaction: indexes created CONCURRENTLY. */
const OUTSIDE_A_TRANSACTION = '-- outside a transaction';

/**
 * Applies the missing migrations, each in its own transaction, and records them in Drizzle's table.
 * Unknown newer migrations are left alone, so the previous version can start next to its successor.
 * @param last the name of the last one to apply; by default all are applied
 * @returns whether there are no unknown ones
 * @throws BootError if a table stays busy
 */
export async function runMigrations(
  sql: postgres.Sql,
  folder: string,
  waits: MigrationWaits,
  last?: string,
): Promise<boolean> {
  await sql`
    create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`;
  const applied = await listApplied(sql);
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const until = last === undefined ? Number.POSITIVE_INFINITY : await readTime(folder, last);
  for (const migration of migrations)
    if (migration.folderMillis <= until && !applied.has(migration.folderMillis))
      await retryWhileBusy(waits, () => apply(sql, migration, waits.lockTimeoutMs));
  const newest = migrations.at(-1)?.folderMillis ?? 0;
  return [...applied].every((when) => when <= newest);
}

const journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

/** When the migration was made, by which Drizzle knows it; 0 if the folder does not have it. */
async function readTime(folder: string, name: string): Promise<number> {
  const { entries } = journal.parse(parseJson(await readFile(join(folder, 'meta/_journal.json'), 'utf8')));
  return entries.find(({ tag }) => tag === name)?.when ?? 0;
}

async function apply(sql: postgres.Sql, migration: MigrationMeta, lockTimeoutMs: number): Promise<void> {
  const { sql: statements, hash, folderMillis } = migration;
  if (statements[0]?.startsWith(OUTSIDE_A_TRANSACTION)) {
    // CREATE INDEX CONCURRENTLY waits for open transactions and blocks no other statement.
    await sql`set lock_timeout = 0`;
    for (const statement of statements) await sql.unsafe(statement);
    await recordMigration(sql, hash, folderMillis);
  } else
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
      for (const statement of statements) await tx.unsafe(statement);
      await recordMigration(tx, hash, folderMillis);
    });
}

/** The creation times of the applied migrations, by which Drizzle knows them. */
export async function listApplied(sql: postgres.Sql): Promise<ReadonlySet<number>> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (table?.name == null) return new Set();
  const rows = await sql`select created_at from drizzle.__drizzle_migrations`;
  return new Set(rows.map((row) => Number(row.created_at)));
}

/** Records a migration in Drizzle's table. */
export async function recordMigration(sql: postgres.ISql, hash: string, when: number): Promise<void> {
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
}
