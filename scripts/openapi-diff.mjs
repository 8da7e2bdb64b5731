// Compares the OpenAPI document with the released one: `node scripts/openapi-diff.mjs [<old>
// [<new>]]`, by default docs/openapi/v1.json and openapi.json. Exits 1 on breaking changes, 2 if a
// document is unreadable.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareDocuments } from './openapi-diff/compare-documents.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [before = `${root}docs/openapi/v1.json`, after = `${root}openapi.json`] = process.argv.slice(2);

/** @type {import('./openapi-diff/compare-schemas.mjs').Found} */
let found;
try {
  found = compareDocuments(read(before), read(after));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
for (const line of found.compatible) console.log(`  new   ${line}`);
for (const line of found.breaking) console.error(`  BREAK ${line}`);
if (found.breaking.length > 0)
  console.error(
    `\n${found.breaking.length} changes break clients of ${before.replace(root, '')}. Keep the old form next to the new one, or deprecate it first (server/core/versions/deprecations.ts).`,
  );
process.exit(found.breaking.length > 0 ? 1 : 0);

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
