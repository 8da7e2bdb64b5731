// Generates openapi.json and the client types from the procedures, and lints with Redocly.
// `--release` makes it the baseline (docs/openapi/v1.json), unless it has breaking changes.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { writeClientTypes } from './client.mjs';
import { lintWithRedocly } from './openapi-lint.mjs';

const { values: flags } = parseArgs({ options: { release: { type: 'boolean' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}openapi.json`;
const { openApiJson } = await tsImport('../server/api/openapi/openapi.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});
const document = openApiJson();

writeFileSync(file, document);
console.log('openapi.json written');
await writeClientTypes();
const problems = lintWithRedocly();
if (problems) console.error(`Redocly\n${problems}`);
process.exit(problems ? 1 : flags.release ? release() : 0);

/** @returns {number} the exit code */
function release() {
  const { status } = spawnSync(process.execPath, [`${root}scripts/openapi-diff.mjs`], { stdio: 'inherit' });
  if (status !== 0) return 1;
  writeFileSync(`${root}docs/openapi/v1.json`, document);
  console.log('docs/openapi/v1.json is now the released document');
  return 0;
}
