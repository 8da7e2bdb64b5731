// `npm run check` (migrations): migrations and SQL functions after the last release must not break
// it, because it still runs while they are applied (docs/upgrading.md). After a release is tagged,
// `npm run migrations -- --release` records its schema in db/released.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findChangedHeaders, readHeaders, selectCalled } from './migrations/function-headers.mjs';
import { judgeMigration } from './migrations/judge-migration.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const migrations = `${root}db/migrations/`;
/** @type {{ entries: { tag: string, when: number }[] }} */
const { entries } = readJson(`${migrations}meta/_journal.json`);
const headers = readHeaders(`${root}db/functions`);

if (process.argv.includes('--release')) release();
else check();

function release() {
  const { version } = readJson(`${root}package.json`);
  const released = { version, migration: entries.at(-1)?.tag, functions: selectCalled(headers, root) };
  writeFileSync(`${root}db/released.json`, `${JSON.stringify(released, null, 2)}\n`);
}

function check() {
  /** @type {{ migration: string, functions: Record<string, string> }} */
  const released = readJson(`${root}db/released.json`);
  const last = entries.findIndex(({ tag }) => tag === released.migration);
  if (last < 0) complain(released.migration, 'the last released migration is not in the journal');
  for (const text of findChangedHeaders(released.functions, headers)) complain('db/functions', text);
  for (const [at, { tag, when }] of entries.entries()) {
    // Drizzle uses the times to find out which migrations a database has.
    if (at > 0 && when <= (entries[at - 1]?.when ?? 0))
      complain(tag, 'its time in the journal must be later than that of the migration before it');
    if (at <= last) continue;
    for (const text of judgeMigration(readFileSync(`${migrations}${tag}.sql`, 'utf8'))) complain(tag, text);
  }
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * @param {string} subject
 * @param {string} text
 */
function complain(subject, text) {
  console.error(`${subject}: ${text}`);
  process.exitCode = 1;
}
