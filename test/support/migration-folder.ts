import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';

const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url));

/** Copies the migrations up to `tag` into a folder, as a release had them. */
export async function migrationsUpTo(tag: string, folder: string): Promise<void> {
  await cp(MIGRATIONS, folder, { recursive: true });
  const journal = join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
  const at = entries.findIndex((entry: { tag: string }) => entry.tag === tag);
  if (at < 0) throw new Error(`There is no migration ${tag}`);
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, at + 1) }));
}

/**
 * Writes migrations of a test into a folder; they are newer than all existing ones.
 * @param firstAt orders several folders of one test
 */
export async function madeUpMigrations(
  folder: string,
  migrations: Record<string, string>,
  firstAt = 0,
): Promise<void> {
  await mkdir(join(folder, 'meta'), { recursive: true });
  const entries = Object.entries(migrations).map(([tag], idx) => ({
    idx,
    version: '7',
    when: 4_102_444_800_000 + firstAt + idx,
    tag,
    breakpoints: true,
  }));
  for (const [tag, text] of Object.entries(migrations)) await writeFile(join(folder, `${tag}.sql`), text);
  await writeFile(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  );
}

/** Drops everything in a test database. */
export async function emptyDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql`drop schema public cascade`;
    await sql`drop schema drizzle cascade`;
    await sql`create schema public`;
  } finally {
    await sql.end();
  }
}
