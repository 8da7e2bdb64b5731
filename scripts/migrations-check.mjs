// `npm run check` (migrations): those after the last release keep the version before running, which still serves while they
// are applied (docs/upgrading.md).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgeMigration } from './migrations/judge-migration.mjs';
import { RELEASED } from './migrations/released.mjs';

const folder = fileURLToPath(new URL('../db/migrations/', import.meta.url));
/** @type {{ entries: { tag: string, when: number }[] }} */
const { entries } = JSON.parse(readFileSync(`${folder}meta/_journal.json`, 'utf8'));
const released = entries.findIndex(({ tag }) => tag === RELEASED);
if (released < 0) complain(RELEASED, 'the last released migration is not in the journal');

for (const [at, { tag, when }] of entries.entries()) {
  // Which of them a database has is known by their times.
  if (at > 0 && when <= (entries[at - 1]?.when ?? 0))
    complain(tag, 'its time in the journal is not after the one before');
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
