// `npm run check` (migrations): migrations after the last release must not break the previous
// version, which still runs while they are applied (docs/upgrading.md).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RELEASED } from '../db/released.mjs';
import { judgeMigration } from './migrations/judge-migration.mjs';

const folder = fileURLToPath(new URL('../db/migrations/', import.meta.url));
/** @type {{ entries: { tag: string, when: number }[] }} */
const { entries } = JSON.parse(readFileSync(`${folder}meta/_journal.json`, 'utf8'));
const released = entries.findIndex(({ tag }) => tag === RELEASED);
if (released < 0) complain(RELEASED, 'the last released migration is not in the journal');

for (const [at, { tag, when }] of entries.entries()) {
  // Drizzle uses the times to find out which migrations a database has.
  if (at > 0 && when <= (entries[at - 1]?.when ?? 0))
    complain(tag, 'its time in the journal must be later than that of the migration before it');
  if (at <= released) continue;
  for (const text of judgeMigration(readFileSync(`${folder}${tag}.sql`, 'utf8'))) complain(tag, text);
}

/**
 * @param {string} tag
 * @param {string} text
 */
function complain(tag, text) {
  console.error(`${tag}: ${text}`);
  process.exitCode = 1;
}
