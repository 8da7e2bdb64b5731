// db/functions holds the current definition of each SQL function, a migration brings it into the
// database. `npm run sql-functions` writes changed functions into the newest migration, `--check`
// (part of `npm run lint`) fails where a migration is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RELEASED } from '../db/released.mjs';
import { findStale, readMigrated, readSources, sortByCalls } from './sql-functions/read-functions.mjs';

const functions = fileURLToPath(new URL('../db/functions/', import.meta.url));
const migrations = fileURLToPath(new URL('../db/migrations/', import.meta.url));
const BREAK = '--> statement-breakpoint\n';

/** @type {{ entries: { tag: string }[] }} */
const { entries } = JSON.parse(readFileSync(`${migrations}meta/_journal.json`, 'utf8'));
const tags = entries.map(({ tag }) => tag);
const sources = readSources(functions);
const migrated = readMigrated(migrations, tags);
const stale = findStale(sources, migrated);
const unknown = [...migrated.keys()].filter((name) => !sources.has(name));

if (unknown.length > 0) fail(`No file in db/functions for: ${unknown.join(', ')}`);
if (process.argv.includes('--check')) {
  if (stale.length > 0)
    fail(`Stale: ${stale.join(', ')}. db/functions differs from the newest migration: npm run sql-functions`);
} else if (stale.length > 0) write(tags.at(-1) ?? '');

/** @param {string} tag the newest migration */
function write(tag) {
  if (tag <= RELEASED)
    return fail(`${tag} is released. First: npx drizzle-kit generate --custom --name what_it_is`);
  const path = `${migrations}${tag}.sql`;
  const before = readFileSync(path, 'utf8')
    .split(/-->\s*statement-breakpoint\n?/)
    .map((statement) => statement.trim())
    .filter((statement) => !stale.some((name) => statement.includes(`FUNCTION ${name}(`)))
    .filter((statement) => statement !== '' && !statement.startsWith('-- Custom SQL migration file'));
  const added = sortByCalls(stale, sources).map((name) => `${sources.get(name)?.text.replace(/;$/, '')};`);
  writeFileSync(path, `${[...before, ...added].join(BREAK)}\n`);
  console.log(`${tag}.sql: ${stale.join(', ')}`);
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
