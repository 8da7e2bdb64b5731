import type { Readable } from 'node:stream';
import type { Sql } from '@/db/client';

/** One connection inside a transaction. */
export type Tx = Parameters<Parameters<Sql['begin']>[1]>[0];

/** A table whose rows are backed up. */
export interface BackedTable {
  schema: string;
  name: string;
  columns: string[];
}

/**
 * What is backed up: ours, and the stand-in's. Not the queue of graphile_worker, which the reaper fills again from the
 * calls, and not drizzle's list of migrations, which a restore writes itself.
 */
export const BACKED_SCHEMAS = ['public', 'stripe_standin'];
/** What a restore makes anew. */
const ALL_SCHEMAS = [...BACKED_SCHEMAS, 'drizzle', 'graphile_worker'];

/** How values are written, whatever the server's and the role's defaults are. */
export async function fixFormats(tx: Tx): Promise<void> {
  await tx.unsafe(
    `set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
     set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0;
     set local idle_in_transaction_session_timeout = 0`,
  );
}

/** Every table, a partitioned one as a whole, those that others refer to first. */
export async function listTables(tx: Tx): Promise<BackedTable[]> {
  const tables = await tx<(BackedTable & { oid: string; needs: string[] })[]>`
    select c.oid::text, n.nspname as schema, c.relname as name,
      array(select attname::text from pg_attribute a where a.attrelid = c.oid and attnum > 0 and not attisdropped
        and attgenerated = '' order by attnum) as columns,
      array(select distinct confrelid::text from pg_constraint k where k.conrelid = c.oid and contype = 'f'
        and confrelid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${tx(BACKED_SCHEMAS)} and c.relkind in ('r', 'p') and not c.relispartition
    order by n.nspname, c.relname`;
  const ordered: (typeof tables)[number][] = [];
  const waiting = [...tables];
  while (waiting.length > 0) {
    const done = new Set(ordered.map(({ oid }) => oid));
    const next = waiting.findIndex(({ needs }) => needs.every((oid) => done.has(oid)));
    if (next === -1) throw new Error('Tables refer to each other in a circle');
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered.map(({ schema, name, columns }) => ({ schema, name, columns }));
}

/** None of them can be changed in its shape, or dropped, until the transaction ends. */
export async function holdTables(tx: Tx, tables: readonly BackedTable[]): Promise<void> {
  const names = tables.map(({ schema, name }) => `${quoted(schema)}.${quoted(name)}`);
  await tx.unsafe(`lock table ${names.join(', ')} in access share mode`);
}

/** The months that have a partition of their own. */
export async function listUsageMonths(tx: Tx): Promise<string[]> {
  const rows = await tx<{ month: string }[]>`
    select replace(substring(c.relname from '^usage_records_(\\d{4}_\\d{2})$'), '_', '-') || '-01' as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.usage_records'::regclass and c.relname ~ '^usage_records_\\d{4}_\\d{2}$' order by 1`;
  return rows.map(({ month }) => month);
}

export async function makeUsageMonths(tx: Tx, months: readonly string[]): Promise<void> {
  for (const month of months) await tx`select create_usage_month(${month}::date)`;
}

/** The last number each sequence has given out. Never fewer than the snapshot holds: sequences are outside of it. */
export async function readSequences(tx: Tx): Promise<Record<string, string>> {
  const rows = await tx<{ name: string; last: string | null }[]>`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
    from pg_sequences where schemaname in ${tx(BACKED_SCHEMAS)} order by 1`;
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

export async function setSequences(tx: Tx, sequences: Record<string, string>): Promise<void> {
  for (const [name, last] of Object.entries(sequences))
    await tx`select setval(${name}::regclass, ${last}::bigint, true)`;
}

/** When the newest migration in the database was made; that is its number too. */
export async function readMigration(tx: Tx): Promise<number | null> {
  const [known] = await tx`select to_regclass('drizzle.__drizzle_migrations') is not null as there`;
  if (!known?.there) return null;
  const [row] = await tx`select max(created_at)::float8 as made from drizzle.__drizzle_migrations`;
  return row?.made ?? null;
}

/** Whether the stand-in for payments has ever been used on this database. */
export async function hasStandin(tx: Tx): Promise<boolean> {
  const [row] = await tx`select to_regclass('stripe_standin.objects') is not null as there`;
  return row?.there === true;
}

/** Rows that only a gateway in use has. */
export async function isEmpty(tx: Tx): Promise<boolean> {
  for (const { schema, name } of await listTables(tx)) {
    // Written by the migrations, or by a start that nobody has used.
    if (['retention_marks', 'verification_tokens', 'payment_event_marks'].includes(name)) continue;
    const [row] = await tx`select exists (select from ${tx(schema)}.${tx(name)}) as used`;
    if (row?.used) return false;
  }
  return true;
}

/** Gateways and workers that have been connected for longer than this process runs. */
export async function countOthers(tx: Tx): Promise<number> {
  const [row] = await tx`
    select count(*)::int as others from pg_stat_activity
    where datname = current_database() and application_name like 'tool-gateway%'
      and backend_start < clock_timestamp() - make_interval(secs => ${process.uptime()})`;
  return row?.others ?? 0;
}

/** Leaves nothing of a gateway in the database. */
export async function dropSchemas(tx: Tx): Promise<void> {
  for (const schema of ALL_SCHEMAS) await tx`drop schema if exists ${tx(schema)} cascade`;
  await tx.unsafe('create schema public; grant usage on schema public to public; create schema drizzle');
}

/** Runs migrations inside this transaction, and notes them as drizzle does. */
export async function runMigrations(
  tx: Tx,
  migrations: readonly { sql: string[]; hash: string; folderMillis: number }[],
): Promise<void> {
  await tx.unsafe(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  for (const { sql, hash, folderMillis } of migrations) {
    // The tables are empty and nobody else's: what is made CONCURRENTLY elsewhere is made at once here.
    for (const statement of sql)
      if (statement.trim() !== '') await tx.unsafe(statement.replace(/\bindex\s+concurrently\b/gi, 'index'));
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis}::bigint)`;
  }
}

export async function copyOut(tx: Tx, { schema, name, columns }: BackedTable): Promise<Readable> {
  return await tx`copy (select ${tx(columns)} from ${tx(schema)}.${tx(name)}) to stdout`.readable();
}

/** A stream that takes the rows of a table. What PostgreSQL refuses shows in the next statement, not in the stream. */
export async function copyIn(tx: Tx, { schema, name, columns }: BackedTable) {
  return await tx`copy ${tx(schema)}.${tx(name)} (${tx(columns)}) from stdin`.writable();
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
