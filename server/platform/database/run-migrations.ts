import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type postgres from 'postgres';
import { BootError, errorCode } from '../process/boot-error';

/** First line of a migration that cannot run in a transaction: indexes created CONCURRENTLY. */
const OUTSIDE_A_TRANSACTION = '-- outside a transaction';
/** Lock timeout, or deadlock victim: nothing was changed, so the migration can be retried. */
const BUSY: readonly (string | undefined)[] = ['55P03', '40P01'];

export interface MigrationWaits {
  /** How long a statement may queue for a table, because all traffic to it queues behind. */
  readonly lockTimeoutMs: number;
  /** The pause between two tries, which lets traffic through. */
  readonly pauseMs: number;
  readonly tries: number;
}

const WAITS: MigrationWaits = { lockTimeoutMs: 1_000, pauseMs: 2_000, tries: 90 };

/**
 * Applies the missing migrations, each in its own transaction, and records them in Drizzle's table.
 * Unknown newer migrations are left alone, so the previous version can start next to its successor.
 * @throws BootError if a table stays busy
 */
export async function runMigrations(sql: postgres.Sql, folder: string, waits = WAITS): Promise<void> {
  await sql`
    create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`;
  const rows = await sql`select created_at from drizzle.__drizzle_migrations`;
  const applied = new Set(rows.map((row) => Number(row.created_at)));
  for (const migration of readMigrationFiles({ migrationsFolder: folder }))
    if (!applied.has(migration.folderMillis)) await applyWithRetry(sql, migration, waits);
}

async function applyWithRetry(
  sql: postgres.Sql,
  migration: MigrationMeta,
  { lockTimeoutMs, pauseMs, tries }: MigrationWaits,
): Promise<void> {
  for (let nth = 1; ; nth++)
    try {
      return await apply(sql, migration, lockTimeoutMs);
    } catch (cause) {
      if (!BUSY.includes(errorCode(cause))) throw cause;
      if (nth === tries)
        throw new BootError(
          'The database could not be migrated because a table stayed busy. Nothing was applied halfway.\n' +
            'Find the long-running transaction in pg_stat_activity, end it, and start again.',
          { cause },
        );
      await sleep(pauseMs);
    }
}

async function apply(sql: postgres.Sql, migration: MigrationMeta, lockTimeoutMs: number): Promise<void> {
  const { sql: statements, hash, folderMillis } = migration;
  if (statements[0]?.startsWith(OUTSIDE_A_TRANSACTION)) {
    // CREATE INDEX CONCURRENTLY waits for open transactions and blocks no other statement.
    await sql`set lock_timeout = 0`;
    for (const statement of statements) await sql.unsafe(statement);
    await record(sql, hash, folderMillis);
  } else
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
      for (const statement of statements) await tx.unsafe(statement);
      await record(tx, hash, folderMillis);
    });
}

async function record(sql: postgres.ISql, hash: string, when: number): Promise<void> {
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
}
