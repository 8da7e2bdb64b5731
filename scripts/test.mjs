// `npm test`: every step that proves the gateway, in the order of the table below. `npm test --
// unit e2e` runs some. It ends with one line: `N passed, M failed`.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './build.mjs';
import { runAcceptance } from './testing/acceptance.mjs';
import { runAttacks } from './testing/attacks/attacks.mjs';
import { DEFAULT_CALLS, runBackupRoundtrip } from './testing/backup-roundtrip.mjs';
import { runCrash } from './testing/crash/crash.mjs';
import { failuresOfBrowser, failuresOfUnit } from './testing/failures.mjs';
import { runFaults } from './testing/faults/faults.mjs';
import { removeTestFolder } from './testing/gateway.mjs';
import { runMemory } from './testing/memory.mjs';
import { runNode, stopAll, stopAllForGood } from './testing/processes.mjs';
import { runScale } from './testing/scale/scale.mjs';

/** @typedef {import('./testing/acceptance.mjs').Count} Count */

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'test-results');
const INTERRUPTED = 130;

/**
 * Each says what it counted. One that needs the build is not run without it.
 * @type {{ name: string, needsBuild?: boolean, run: () => Promise<Count> }[]}
 */
const steps = [
  { name: 'check', run: async () => single(await run(['scripts/check.mjs'])) },
  { name: 'unit', run: runUnit },
  { name: 'build', run: runBuild },
  { name: 'acceptance', needsBuild: true, run: runAcceptance },
  { name: 'crash', needsBuild: true, run: runCrash },
  { name: 'attacks', needsBuild: true, run: () => runAttacks() },
  { name: 'faults', needsBuild: true, run: runFaults },
  { name: 'scale', needsBuild: true, run: runScale },
  { name: 'backup', needsBuild: true, run: () => runBackupRoundtrip({ calls: DEFAULT_CALLS }) },
  { name: 'memory', needsBuild: true, run: runMemory },
  { name: 'e2e', needsBuild: true, run: runBrowser },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(
    `No step named ${unknown.join(', ')}. There are: ${steps.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

/** @type {(Count & { name: string, seconds: number })[]} */
const done = [];
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void interrupt());

mkdirSync(results, { recursive: true });
// All that the steps keep for a while is in one folder: what a killed one leaves there, a database
// too, is found.
const scratch = mkdtempSync(join(tmpdir(), 'gateway-tests-'));
// PostgreSQL's own user passes through it where root runs the tests.
chmodSync(scratch, 0o755);
process.env.TMPDIR = scratch;
for (const step of steps) {
  if (wanted.length > 0 && !wanted.includes(step.name) && !(step.name === 'build' && buildIsNeeded()))
    continue;
  await runStep(step);
}
if (!interrupted) {
  await removeTestFolder(scratch);
  summarise();
}

/** @param {typeof steps[number]} step */
async function runStep({ name, needsBuild, run: work }) {
  if (interrupted) return;
  console.log(`\n── ${name} ──`);
  const begun = performance.now();
  const count = needsBuild && !isBuilt() ? failure('not run: there is no build') : await attempt(work);
  if (interrupted) return;
  done.push({ name, seconds: (performance.now() - begun) / 1000, ...count });
}

/**
 * @param {() => Promise<Count>} work
 * @returns {Promise<Count>}
 */
async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!interrupted) console.error(error);
    return failure('broke off');
  } finally {
    await stopAll();
  }
}

async function runUnit() {
  const file = join(results, 'vitest.json');
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run(['node_modules/vitest/vitest.mjs', 'run', ...reporters]);
  const report = readReport(file);
  if (!report) return failure('no report');
  const { numPassedTests: passed, numFailedTests, numPendingTests: skipped } = report;
  // A file that cannot be loaded fails without a test of its own.
  const failed = numFailedTests || (code === 0 ? 0 : Math.max(1, report.numFailedTestSuites));
  const failures = failuresOfUnit(report);
  // The report is silent about what was thrown outside of all tests.
  if (failed && failures.length === 0) failures.push('outside a test: see “Unhandled Errors” above');
  return { passed, failed, skipped, notes: [], failures };
}

async function runBuild() {
  if (isBuilt()) return { passed: 0, failed: 0, skipped: 0, notes: ['these sources were built before'] };
  return single(await build());
}

async function runBrowser() {
  const file = join(results, 'playwright.json');
  rmSync(file, { force: true });
  const code = await run(['node_modules/playwright/cli.js', 'test'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const report = readReport(file);
  if (!report) return failure('no report');
  const { expected: passed, unexpected, flaky, skipped } = report.stats;
  const failed = unexpected + flaky + report.errors.length;
  const failures = failuresOfBrowser(report);
  return { passed, failed: failed || (code === 0 ? 0 : 1), skipped, notes: [], failures };
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} [more]
 */
async function run(args, more = {}) {
  return (await runNode(args, { cwd: root, env: { ...process.env, ...more } })).code;
}

/** A step that is one thing: not counted where it is well, one failure where it is not. */
function single(/** @type {number} */ code) {
  return code === 0 ? { passed: 0, failed: 0, skipped: 0, notes: [] } : failure(`ended with ${code}`);
}

/** @returns {Count} */
function failure(/** @type {string} */ note) {
  return { passed: 0, failed: 1, skipped: 0, notes: [note] };
}

/** @returns {any} */
function readReport(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function buildIsNeeded() {
  return steps.some(({ name, needsBuild }) => needsBuild && wanted.includes(name));
}

function summarise() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  console.log('\n── summary ──');
  for (const { name, seconds, passed, failed, skipped, notes } of done) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    const said = [
      passed || failed ? `${passed} passed, ${failed} failed` : '',
      skipped ? `${skipped} skipped` : '',
    ];
    const words = [...said, ...notes].filter(Boolean).join(', ');
    console.log(
      `  ${failed ? 'FAIL' : 'ok  '}  ${name.padEnd(12)}${seconds.toFixed(1).padStart(7)} s   ${words}`,
    );
  }
  for (const { name, failures = [] } of done)
    for (const failure of failures) console.log(`\n  ${name}: ${failure}`);
  const skipped = total.skipped ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  process.exit(total.failed ? 1 : 0);
}

/**
 * Ctrl-C: what was started is ended first, also the gateway that the terminal's signal did not
 * reach.
 */
async function interrupt() {
  if (interrupted) return;
  interrupted = true;
  console.error('\nInterrupted: stopping what was started.');
  await stopAllForGood();
  await removeTestFolder(scratch);
  process.exit(INTERRUPTED);
}
