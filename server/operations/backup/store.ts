import type { Readable, Writable } from 'node:stream';
import { escapeIdentifier } from 'pg';
import { UNRELEASED_SCHEMA } from '../../platform/database/adopt-unreleased';
import { readFunction } from '../../platform/database/read-functions';
import { quoteColumns, quoteTable, type Tx } from './transaction';

/** A table whose rows are backed up. */
export interface BackedTable {
  schema: string;
  name: string;
  columns: string[];
}

/**
 * Our schemas and the fake Stripe's. Left out are graphile_worker, which the release before uses,
 * and drizzle's list of migrations, which a restore writes itself.
 */
export const BACKED_SCHEMAS = ['public', 'fake_stripe', UNRELEASED_SCHEMA];
/** The schemas that a restore recreates. */
const ALL_SCHEMAS = [...BACKED_SCHEMAS, 'drizzle', 'graphile_worker'];

const TIME_LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout',
];

/** Fixes the text format of values, whatever the server's defaults, and removes time limits. */
export async function fixFormats(tx: Tx): Promise<void> {
  await tx.query(
    `set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
     set local bytea_output = 'hex'; set local extra_float_digits = 1`,
  );
  // Older servers do not have all of them.
  await tx.query(`select set_config(name, '0', true) from pg_settings where name = any($1)`, [TIME_LIMITS]);
}

/** Lists all tables, a partitioned one as one table, with referenced tables first. */
export async function listTables(tx: Tx): Promise<BackedTable[]> {
  const tables = await tx.query<BackedTable & { oid: string; needs: string[] }>(
    `select c.oid::text, n.nspname as schema, c.relname as name,
      array(select attname::text from pg_attribute a where a.attrelid = c.oid and attnum > 0 and not attisdropped
        and attgenerated = '' order by attnum) as columns,
      array(select distinct confrelid::text from pg_constraint k where k.conrelid = c.oid and contype = 'f'
        and confrelid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
    order by n.nspname, c.relname`,
    [BACKED_SCHEMAS],
  );
  const ordered: (typeof tables)[number][] = [];
  const waiting = [...tables];
  while (waiting.length > 0) {
    const done = new Set(ordered.map(({ oid }) => oid));
    const next = waiting.findIndex(({ needs }) => needs.every((oid) => done.has(oid)));
    if (next === -1) throw new Error('The foreign keys of the tables form a cycle');
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered.map(({ schema, name, columns }) => ({ schema, name, columns }));
}

/** Keeps tables from being altered or dropped until the transaction ends. */
export async function lockTables(tx: Tx, tables: readonly BackedTable[]): Promise<void> {
  await tx.query(`lock table ${tables.map(quoteTable).join(', ')} in access share mode`);
}

/** The months that have their own partition. */
export async function listUsageMonths(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ month: string }>(
    `select replace(substring(c.relname from '^usage_records_(\\d{4}_\\d{2})$'), '_', '-') || '-01' as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.usage_records'::regclass and c.relname ~ '^usage_records_\\d{4}_\\d{2}$' order by 1`,
  );
  return rows.map(({ month }) => month);
}

/** Creates partitions in tables without SQL functions, which are installed after the rows. */
export async function createUsageMonths(tx: Tx, months: readonly string[]): Promise<void> {
  await tx.query((await readFunction('create_usage_month')).text);
  for (const month of months) await tx.query('select create_usage_month($1::date)', [month]);
}

/** The last value of each sequence. Sequences are not part of the snapshot, so it may be ahead. */
export async function readSequences(tx: Tx): Promise<Record<string, string>> {
  const rows = await tx.query<{ name: string; last: string | null }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
    from pg_sequences where schemaname = any($1) order by 1`,
    [BACKED_SCHEMAS],
  );
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

export async function setSequences(tx: Tx, sequences: Record<string, string>): Promise<void> {
  for (const [name, last] of Object.entries(sequences))
    await tx.query('select setval($1::regclass, $2::bigint, true)', [name, last]);
}

/** The number of the newest applied migration, which is its creation time. */
export async function readMigration(tx: Tx): Promise<number | null> {
  if (!(await exists(tx, 'drizzle.__drizzle_migrations'))) return null;
  const [row] = await tx.query<{ made: number | null }>(
    'select max(created_at)::float8 as made from drizzle.__drizzle_migrations',
  );
  return row?.made ?? null;
}

/** Whether no table has rows that only a used gateway has. */
export async function isEmpty(tx: Tx): Promise<boolean> {
  for (const table of await listTables(tx)) {
    // Written by the migrations, or by the first start.
    if (['retention_marks', 'verification_tokens', 'payment_event_marks'].includes(table.name)) continue;
    const [row] = await tx.query(`select exists (select from ${quoteTable(table)}) as used`);
    if (row?.used) return false;
  }
  return true;
}

/** Counts gateways and workers that connected before this process started. */
export async function countOtherClients(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and application_name like 'tool-gateway%'
      and backend_start < clock_timestamp() - make_interval(secs => $1)`,
    [process.uptime()],
  );
  return row?.others ?? 0;
}

/** Drops everything of a gateway from the database. */
export async function dropSchemas(tx: Tx): Promise<void> {
  for (const schema of ALL_SCHEMAS)
    await tx.query(`drop schema if exists ${escapeIdentifier(schema)} cascade`);
  await tx.query('create schema public; grant usage on schema public to public; create schema drizzle');
}

/** Applies migrations in this transaction, and records them as drizzle does. */
export async function runMigrations(
  tx: Tx,
  migrations: readonly { sql: string[]; hash: string; folderMillis: number }[],
): Promise<void> {
  await tx.query(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  for (const { sql, hash, folderMillis } of migrations) {
    // The tables are empty and locked by us, so indexes need not be created CONCURRENTLY.
    for (const statement of sql)
      if (statement.trim() !== '') await tx.query(statement.replace(/\bindex\s+concurrently\b/gi, 'index'));
    await tx.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2::bigint)', [
      hash,
      folderMillis,
    ]);
  }
}

/** Reads the rows of a table in COPY's text format. */
export function copyOut(tx: Tx, table: BackedTable): Readable {
  return tx.copyOut(`copy (select ${quoteColumns(table.columns)} from ${quoteTable(table)}) to stdout`);
}

/** Creates a stream that writes rows into a table. */
export function copyIn(tx: Tx, table: BackedTable): Writable {
  return tx.copyIn(`copy ${quoteTable(table)} (${quoteColumns(table.columns)}) from stdin`);
}

async function exists(tx: Tx, name: string): Promise<boolean> {
  const [row] = await tx.query('select to_regclass($1) is not null as there', [name]);
  return row?.there === true;
}
