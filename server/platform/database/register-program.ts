import { readFile } from 'node:fs/promises';
import type postgres from 'postgres';
import { defineRow, text } from '@/db/rows';
import { compareVersions } from '../../kit/compare-versions';
import { fromRoot } from '../../kit/from-root';
import { BootError } from '../process/boot-error';

/** A version of the gateway, and the oldest one that may run next to it: the release before. */
export interface Program {
  version: string;
  oldest: string;
  /** The last migration of the oldest. */
  oldestMigration?: string | undefined;
}

const programRow = defineRow({ version: text(), oldest: text() });

/** Reads this program's own. */
export async function readProgram(): Promise<Program> {
  const read = async (file: string): Promise<{ version: string; migration?: string }> =>
    // Cannot throw: files of the program
    JSON.parse(await readFile(fromRoot(file), 'utf8'));
  const [own, released] = await Promise.all([read('package.json'), read('db/released.json')]);
  return { version: own.version, oldest: released.version, oldestMigration: released.migration };
}

/**
 * Checks that a version may use the database.
 * @returns whether no later version has used it
 * @throws BootError if a later version has upgraded the database too far (docs/upgrading.md)
 */
export async function refuseOldProgram(sql: postgres.Sql, { version }: Program): Promise<boolean> {
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__programs (version text primary key, oldest text not null)`;
  const programs = await programRow.read(sql`select version, oldest from drizzle.__programs`);
  const later = programs
    .filter((program) => compareVersions(version, program.oldest) < 0)
    .sort((a, b) => compareVersions(b.version, a.version))[0];
  if (later)
    throw new BootError(
      `Version ${later.version} has upgraded the database, and version ${version} cannot use it any more: ` +
        `start ${later.version} or later, or restore a backup from before the upgrade.`,
    );
  return programs.every((program) => compareVersions(program.version, version) <= 0);
}

/** Records that a version uses the database: those before its oldest are refused from now on. */
export async function registerProgram(sql: postgres.Sql, { version, oldest }: Program): Promise<void> {
  await sql`
    insert into drizzle.__programs (version, oldest) values (${version}, ${oldest})
    on conflict (version) do update set oldest = excluded.oldest where __programs.oldest <> excluded.oldest`;
}
