import type postgres from 'postgres';
import { defineRow, text } from '@/db/rows';
import { errorCode } from '../process/boot-error';
import { type FunctionSource, readFunctions, sortByCalls } from './read-functions';
import { type MigrationWaits, retryWhileBusy } from './retry-while-busy';

/** CREATE OR REPLACE cannot change the result or the names of parameters. */
const INVALID_FUNCTION_DEFINITION = '42P13';

const recordRow = defineRow({ name: text(), hash: text() });
/** The signature has the types of its parameters, as DROP FUNCTION takes it. */
const installedRow = defineRow({ name: text(), signature: text() });
type Installed = typeof installedRow.row;

/**
 * Brings the SQL functions of the database to the files of a folder, in one transaction: replaces
 * those whose file has another hash than the recorded one, and drops those without a file.
 * @param folder by default db/functions
 * @throws BootError if a table of a trigger stays busy
 */
export async function installFunctions(
  sql: postgres.Sql,
  folder: string,
  waits: MigrationWaits,
): Promise<void> {
  await sql`create table if not exists drizzle.__functions (name text primary key, hash text not null)`;
  const rows = await recordRow.read(sql`select name, hash from drizzle.__functions`);
  const recorded = new Map(rows.map(({ name, hash }) => [name, hash]));
  const sources = await readFunctions(folder);
  const changed = sources.filter(({ name, hash }) => recorded.get(name) !== hash);
  const removed = [...recorded.keys()].filter((name) => sources.every((source) => source.name !== name));
  if (changed.length === 0 && removed.length === 0) return;
  await retryWhileBusy(waits, async () => {
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = ${waits.lockTimeoutMs}`);
      await replaceFunctions(tx, changed, removed);
    });
  });
}

async function replaceFunctions(
  tx: postgres.TransactionSql,
  changed: readonly FunctionSource[],
  removed: readonly string[],
): Promise<void> {
  const names = [...changed.map(({ name }) => name), ...removed];
  const before = await listFunctions(tx, names);
  for (const source of sortByCalls(changed)) await createFunction(tx, source, before);
  // With other parameters PostgreSQL keeps the old function next to the new one.
  const after = await listFunctions(tx, names);
  const isOverloaded = (name: string) => after.filter((it) => it.name === name).length > 1;
  const stale = after.filter(
    ({ name, signature }) =>
      removed.includes(name) || (isOverloaded(name) && before.some((it) => it.signature === signature)),
  );
  // One statement, because they may depend on each other.
  if (stale.length > 0)
    await tx.unsafe(`drop function ${stale.map(({ signature }) => signature).join(', ')}`);
  await tx`delete from drizzle.__functions where name = any(${names})`;
  for (const { name, hash } of changed)
    await tx`insert into drizzle.__functions (name, hash) values (${name}, ${hash})`;
}

async function createFunction(
  tx: postgres.TransactionSql,
  { name, text }: FunctionSource,
  before: readonly Installed[],
): Promise<void> {
  try {
    await tx.savepoint((nested) => nested.unsafe(text));
  } catch (error) {
    if (errorCode(error) !== INVALID_FUNCTION_DEFINITION) throw nameFile(error, name);
    for (const { signature } of before.filter((it) => it.name === name))
      await tx.unsafe(`drop function ${signature}`);
    await tx.unsafe(text);
  }
}

function nameFile(error: unknown, name: string): unknown {
  return error instanceof Error
    ? Object.assign(error, { message: `db/functions/${name}.sql: ${error.message}` })
    : error;
}

async function listFunctions(tx: postgres.TransactionSql, names: readonly string[]): Promise<Installed[]> {
  return await installedRow.read(tx`
    select proname::text as name, oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::regnamespace and proname = any(${names})`);
}
