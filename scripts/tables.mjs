// `npm run lint`: SQL that names a table stands in the folder that owns the table, or in one of the
// exceptions of tables/owners.mjs. Its rows are declared with defineRow.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRowGenerics } from './tables/find-row-generics.mjs';
import { findTables, getRoom, readTables } from './tables/find-tables.mjs';
import { EVERY_TABLE, OWNERS } from './tables/owners.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const list = (/** @type {string[]} */ ...folders) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file) && existsSync(join(root, file)),
    );

const tables = readTables(list('db/schema').map(read));
/** @type {string[]} */
const problems = [];
const used = new Set();
for (const table of tables.keys())
  if (!OWNERS[table]) problems.push(`${table}: no owner in scripts/tables/owners.mjs`);

for (const file of list('server', 'app'))
  for (const [table, access] of findTables(read(file), tables)) {
    const room = file.startsWith('server/') ? getRoom(file) : (file.split('/')[0] ?? '');
    const entry = OWNERS[table];
    if (!entry || entry.owner === room || room in EVERY_TABLE) continue;
    if (entry.writers?.includes(room) || (access === 'reads' && entry.readers?.includes(room)))
      used.add(`${table} ${room}`);
    else problems.push(`${file} ${access} ${table}, which belongs to server/${entry.owner}`);
  }
for (const file of list('server', 'app', 'db', 'bench'))
  for (const line of findRowGenerics(read(file)))
    problems.push(
      `${file}:${line} types the rows of a statement without a check: use defineRow (db/rows.ts)`,
    );

for (const [table, { writers = [], readers = [] }] of Object.entries(OWNERS))
  for (const room of [...writers, ...readers])
    if (!used.has(`${table} ${room}`)) problems.push(`${table}: the exception for ${room} is not used`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
