// Generates openapi.json and the client types from the procedures. `--check` compares and lints
// with Redocly (openapi.deep.test.ts: with Spectral). `--release` makes it the baseline
// (docs/openapi/v1.json), unless it has breaking changes.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { writeClientTypes } from './client.mjs';
import { installOnDemand } from './on-demand.mjs';

const { values: flags } = parseArgs({
  options: { check: { type: 'boolean' }, release: { type: 'boolean' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}openapi.json`;
const { openApiJson } = await tsImport('../server/api/openapi/openapi.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});
const document = openApiJson();

if (!flags.check) {
  writeFileSync(file, document);
  console.log('openapi.json written');
  await writeClientTypes();
  process.exit(flags.release ? release() : 0);
}

let committed = '';
try {
  committed = readFileSync(file, 'utf8');
} catch {
  // A missing file counts as stale.
}
let failed = committed !== document;
if (failed)
  console.error('openapi.json does not match the server: run npm run openapi and review the difference.');

const redocly = `${installOnDemand('openapi')}@redocly/cli/bin/cli.js`;
const lint = spawnSync(process.execPath, [redocly, 'lint', '--config', '.redocly.yaml', 'openapi.json'], {
  cwd: root,
  encoding: 'utf8',
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
});
if (lint.status !== 0) {
  failed = true;
  console.error(`Redocly\n${lint.stdout}${lint.stderr}`);
}
process.exit(failed ? 1 : 0);

/** @returns {number} the exit code */
function release() {
  const { status } = spawnSync(process.execPath, [`${root}scripts/openapi-diff.mjs`], { stdio: 'inherit' });
  if (status !== 0) return 1;
  writeFileSync(`${root}docs/openapi/v1.json`, document);
  console.log('docs/openapi/v1.json is now the released document');
  return 0;
}
