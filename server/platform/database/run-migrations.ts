import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type postgres from 'postgres';
import { BootError, errorCode } from '../process/boot-error';

/** First line of a migration that cannot be in a transaction: indexes made CONCURRENTLY on tables in use. */
const OUTSIDE_A_TRANSACTION = '-- outside a transaction';
/** Busy, or chosen as the victim of a deadlock: nothing was changed, and it may be tried again. */
const BUSY: readonly (string | undefined)[] = ['55P03', '40P01'];

export interface MigrationWaits {
  /** How long a statement may queue for a table: all traffic to that table queues behind it. */
  readonly lockTimeoutMs: number;
  /** Between two tries traffic flows. */
  readonly pauseMs: number;
  readonly tries: number;
}

const WAITS: MigrationWaits = { lockTimeoutMs: 1_000, pauseMs: 2_000, tries: 90 };

/**
 * Applies what the database does not have yet, each migration in a transaction of its own, into the table that Drizzle keeps.
 * A database that has more than this version knows is left as it is: the version before may start beside its successor.
 * @throws BootError where a table stays busy
 */
export async function runMigrations(sql: postgres.Sql, folder: string, waits = WAITS): Promise<void> {
  await sql`create schema if not exists drizzle`;
  await sql`
    create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`;
  const rows = await sql`select created_at from drizzle.__drizzle_migrations`;
  const applied = new Set(rows.map((row) => Number(row.created_at)));
  for (const migration of readMigrationFiles({ migrationsFolder: folder }))
    if (!applied.has(migration.folderMillis)) await applyPatiently(sql, migration, waits);
}

async function applyPatiently(
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
          'A table stayed busy, so that the database could not be migrated. Nothing is half done.\n' +
            'Look in pg_stat_activity for a transaction that is open for long, end it, and start again.',
          { cause },
        );
      await sleep(pauseMs);
    }
}

async function apply(sql: postgres.Sql, migration: MigrationMeta, lockTimeoutMs: number): Promise<void> {
  const { sql: statements, hash, folderMillis } = migration;
  if (statements[0]?.startsWith(OUTSIDE_A_TRANSACTION)) {
    // An index made CONCURRENTLY waits for transactions that are open, and keeps nobody waiting.
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
