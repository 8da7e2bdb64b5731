import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import { z } from 'zod';
import { RELEASED } from '@/db/released.mjs';
import { BootError } from '../process/boot-error';

const journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

/**
 * Refuses a database that a later release has upgraded, unless it is the next one, next to which
 * this one may run (docs/upgrading.md). Records the same for the releases before this one.
 * @param folder of this version's migrations
 * @param version of this program, for the message of an older one
 * @throws BootError
 */
export async function refuseOldProgram(sql: postgres.Sql, folder: string, version: string): Promise<void> {
  // Cannot throw: a file of this program
  const { entries } = journal.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')));
  const newest = Math.max(...entries.map(({ when }) => when));
  await sql`create schema if not exists drizzle`;
  await sql`
    create table if not exists drizzle.__oldest_programs
      (newest_migration bigint primary key, stated_by text not null)`;
  const [later] = await sql`
    select stated_by from drizzle.__oldest_programs where newest_migration > ${newest}
    order by newest_migration desc limit 1`;
  if (later)
    throw new BootError(
      `Version ${later.stated_by} has upgraded the database, and version ${version} cannot use it any more: ` +
        `start ${later.stated_by} or later, or restore a backup from before the upgrade.`,
    );
  const released = entries.find(({ tag }) => tag === RELEASED);
  if (released)
    await sql`
      insert into drizzle.__oldest_programs (newest_migration, stated_by) values (${released.when}, ${version})
      on conflict do nothing`;
}
