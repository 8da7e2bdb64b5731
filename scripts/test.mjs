// `npm test` and `npm run test:deep`: runs the parts of a suite, then failed files once more, and
// reports failures, flaky tests, slow files and a last line `N passed, M failed, K skipped`.
// Usage: test.mjs SUITE [--no-retry] [filter …]
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTestFolder } from '../test/system/fixtures/test-folder.mjs';
import { isBuilt } from './build.mjs';
import { findLeftProcesses } from './left-processes.mjs';
import { canRetry, listFailedFiles, mergeRetry } from './retry-failures.mjs';
import { describeFailure, readPlaywrightReport, readVitestReport } from './test-report.mjs';
import { readCommit, summarise } from './test-summary.mjs';

/** @typedef {import('./test-report.mjs').Report} Report */
/** @typedef {import('./test-summary.mjs').Result} Result */

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {() => Promise<Report>} run
 * @property {(files: string[]) => Promise<Report>} [rerun] runs these files alone, with one worker
 */

const root = fileURLToPath(new URL('..', import.meta.url));
/** Another folder if a test of this runner starts it. */
const results = process.env.TEST_RESULTS_FOLDER ?? join(root, 'test-results');
const INTERRUPTED = 130;
/** Linux's memory file system. Containers often have only 64 MB of it, too little for databases. */
const MEMORY_FOLDER = '/dev/shm';
const DATABASE_ROOM = 4 * 2 ** 30;
const MAX_SEED = 2 ** 31;
/** The exit code of a runner that a signal ended, as a shell gives it. */
const ENDED_BY_SIGNAL = 128;

const check = { name: 'check', run: () => runCommand('check', ['scripts/check.mjs']) };
const build = { name: 'build', run: runBuild };

/** One worker, because the gateway and the browser of a second one cost more than they save. */
const JOURNEYS = ['--grep', '@journey', '--workers=1'];

/**
 * A suite is a list of stages; a stage has concurrent lanes; a lane runs its parts in order.
 * @type {Record<string, Part[][][]>}
 */
const SUITES = {
  quick: [
    // Together, because tests mostly wait.
    [[vitest('unit')], [check, build, vitest('acceptance'), playwright('journeys', JOURNEYS)]],
  ],
  deep: [
    [[build]],
    // Together, because the tests of whole processes mostly wait.
    [[vitest('system')], [vitest('deep'), playwright('browser', ['--grep-invert', '@journey'])]],
  ],
  unit: [[[vitest('unit')]]],
  system: [[[build]], [[vitest('acceptance'), vitest('system')]]],
  e2e: [[[build]], [[playwright('e2e', [])]]],
  soak: [[[build]], [[once(vitest('soak'))]]],
  versions: [[[build]], [[vitest('versions')]]],
};

const NO_RETRY = '--no-retry';
/** Keeps the logs of the first try: those of the second one go to test-results/retry. */
const SECOND_TRY = { TEST_RESULTS_SUBFOLDER: 'retry' };
const [suiteName = '', ...options] = process.argv.slice(2);
const filters = options.filter((option) => option !== NO_RETRY);
const suite = SUITES[suiteName];
if (!suite) {
  console.error(`Unknown suite "${suiteName}". Suites: ${Object.keys(SUITES).join(', ')}.`);
  process.exit(2);
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
/** @type {Result[]} */
const done = [];
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void interrupt());

mkdirSync(results, { recursive: true });
// Otherwise a run that is killed would leave the verdict of an earlier one.
rmSync(join(results, 'summary.json'), { force: true });
// Both tries of a test get the same random inputs.
const seed = process.env.TEST_SEED ?? String(Math.floor(Math.random() * MAX_SEED));
const started = performance.now();
const commit = readCommit(root);
// One folder for all files of the tests, by which processes that outlive a killed part are found.
const scratch = makeFolder(tmpdir());
const databases = hasRoom(MEMORY_FOLDER) ? makeFolder(MEMORY_FOLDER) : scratch;
for (const stage of suite)
  if (!interrupted)
    await Promise.all(
      stage.map(async (lane) => {
        for (const part of lane) await runPart(part);
      }),
    );
if (!interrupted) await checkLeftProcesses();
if (filters.length > 0 && done.every(({ files, failures }) => files.length + failures.length === 0))
  addFailure('filters', describeFailure(`No test file matches ${filters.join(' ')}`));
if (!interrupted && !options.includes(NO_RETRY) && canRetry(done)) await retryFailures(suite.flat(2));
if (!interrupted) {
  await removeFolders();
  const seconds = (performance.now() - started) / 1000;
  process.exit(
    summarise({ root, folder: results, suite: suiteName, filters, commit, seed, seconds, parts: done }),
  );
}

/** @param {string} parent */
function makeFolder(parent) {
  const folder = mkdtempSync(join(parent, 'gateway-tests-'));
  // PostgreSQL's own user traverses it if root runs the tests.
  chmodSync(folder, 0o755);
  return folder;
}

/** @param {string} folder */
function hasRoom(folder) {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= DATABASE_ROOM;
}

async function removeFolders() {
  for (const folder of new Set([scratch, databases])) await removeTestFolder(folder);
}

/** A process that a test left running counts as a failure. */
async function checkLeftProcesses() {
  const left = await findLeftProcesses([scratch, databases]);
  if (left.length === 0) return;
  for (const { pid } of left) killProcess(pid);
  const commands = left.map(({ command }) => command).join('\n');
  const failure = describeFailure('Processes of the tests still ran at the end', commands);
  addFailure('processes', failure);
}

/** @param {string} name @param {import('./test-report.mjs').Failure} failure */
function addFailure(name, failure) {
  done.push({ name, seconds: 0, failures: [failure], files: [], passed: new Set(), flaky: [] });
}

/** @param {number} pid */
function killProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** @param {Part[]} parts */
async function retryFailures(parts) {
  for (const [index, first] of done.entries()) {
    const rerun = parts.find(({ name }) => name === first.name)?.rerun;
    if (interrupted || !rerun || first.failures.length === 0) continue;
    console.log(`\n── ${first.name}: failed files once more, alone ──`);
    const started = performance.now();
    const merged = mergeRetry(first, await rerun(listFailedFiles(first)));
    const seconds = first.seconds + (performance.now() - started) / 1000;
    done[index] = { ...first, ...merged, seconds };
  }
  if (!interrupted) await checkLeftProcesses();
}

/** @param {Part} part */
async function runPart({ name, run }) {
  if (interrupted || (filters.length > 0 && !isSelected(name))) return;
  console.log(`\n── ${name} ──`);
  const started = performance.now();
  const needsBuild = ['acceptance', 'system', 'soak', 'versions', 'journeys', 'browser', 'e2e'].includes(
    name,
  );
  const report = needsBuild && !isBuilt() ? single(name, 'not run: the build is missing', 1) : await run();
  if (interrupted) return;
  const seconds = (performance.now() - started) / 1000;
  done.push({ ...report, name, seconds, flaky: [] });
  const outcome = report.failures.length > 0 ? 'FAILED' : 'ok';
  console.log(`\n── ${name}: ${outcome} after ${seconds.toFixed(0)} s ──`);
}

/**
 * A part whose tests are a project in vitest.config.ts.
 * @param {string} name
 * @returns {Part}
 */
function vitest(name) {
  const run = async (/** @type {string} */ results, /** @type {string[]} */ selection, more = {}) => {
    const report = reportFile(results, 'json');
    const unhandled = reportFile(results, 'unhandled.json');
    const reporters = ['default', 'json', 'junit', './scripts/unhandled-errors-reporter.mjs'].map(
      (reporter) => `--reporter=${reporter}`,
    );
    const files = [`--outputFile.json=${report}`, `--outputFile.junit=${reportFile(results, 'junit.xml')}`];
    const { code } = await runNode(
      ['node_modules/vitest/vitest.mjs', 'run', '--project', name, ...reporters, ...files, ...selection],
      { env: { UNHANDLED_ERRORS_FILE: unhandled, ...more } },
    );
    return readVitestReport({ report, unhandled }, code);
  };
  return {
    name,
    run: () => run(name, filters),
    rerun: (files) => run(`${name}-retry`, ['--maxWorkers=1', ...files], SECOND_TRY),
  };
}

/**
 * @param {string} name
 * @param {string[]} tests options that select browser tests
 * @returns {Part}
 */
function playwright(name, tests) {
  const run = async (/** @type {string} */ results, /** @type {string[]} */ selection, more = {}) => {
    const report = reportFile(results, 'json');
    const env = {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      PLAYWRIGHT_JUNIT_OUTPUT_FILE: reportFile(results, 'junit.xml'),
      ...more,
    };
    const { code } = await runNode(
      ['node_modules/playwright/cli.js', 'test', '--reporter=list,json,junit', ...tests, ...selection],
      { env },
    );
    return readPlaywrightReport(report, code);
  };
  return {
    name,
    run: () => run(name, filters),
    rerun: (files) =>
      run(`${name}-retry`, ['--workers=1', '--output=test-results/retry/e2e', ...files], SECOND_TRY),
  };
}

/** @param {Part} part @returns {Part} without a second try */
function once({ name, run }) {
  return { name, run };
}

async function runBuild() {
  if (isBuilt()) return single('build', '', 0);
  return await runCommand('build', ['scripts/build.mjs']);
}

/**
 * A part with one result: not counted if it succeeds, one failure if it fails.
 * @param {string} name
 * @param {string[]} args of Node
 */
async function runCommand(name, args) {
  const { code, output } = await runNode(args, { quiet: true });
  if (code !== 0) console.log(output);
  return single(name, `${name} ended with exit code ${code}: see its output above`, code);
}

/**
 * @param {string} name
 * @param {string} failure
 * @param {number} code
 * @returns {Report}
 */
function single(name, failure, code) {
  const failures = code === 0 ? [] : [describeFailure(`${name}: ${failure}`)];
  return { failures, files: [], passed: new Set() };
}

/**
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, quiet?: boolean }} [options] quiet: captures the output
 * @returns {Promise<{ code: number, output: string }>}
 */
function runNode(args, { env = {}, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, TMPDIR: scratch, TEST_DATABASE_FOLDER: databases, TEST_SEED: seed, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      children.delete(child);
      resolve({ code: code ?? ENDED_BY_SIGNAL, output });
    });
  });
}

/**
 * With a filter, only parts with matching files run, and the build if one of them needs it.
 * @param {string} part
 */
function isSelected(part) {
  if (part === 'check') return false;
  if (part === 'unit' || part === 'deep') return true;
  const specs = listFiles('e2e', '.spec.ts');
  const journeys = specs.filter((file) => readFileSync(file, 'utf8').includes('@journey'));
  const ofSystem = listFiles('test/system', '.test.ts');
  const acceptance = ofSystem.filter((file) => basename(file) === 'acceptance.test.ts');
  const system = ofSystem.filter((file) => !acceptance.includes(file));
  /** @type {Record<string, string[]>} */
  const files = {
    acceptance,
    system,
    soak: system,
    versions: system,
    journeys,
    browser: specs,
    e2e: specs,
  };
  const matches = (/** @type {string} */ name) =>
    files[name]?.some((file) => filters.some((filter) => basename(file).includes(filter)));
  if (part !== 'build') return Boolean(matches(part));
  return suite?.flat(2).some(({ name }) => matches(name)) ?? false;
}

/**
 * @param {string} folder
 * @param {string} ending
 */
function listFiles(folder, ending) {
  const entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return entries.filter((name) => name.endsWith(ending)).map((name) => join(root, folder, name));
}

/**
 * @param {string} name
 * @param {string} kind
 */
function reportFile(name, kind) {
  const file = join(results, `${name}.${kind}`);
  rmSync(file, { force: true });
  return file;
}

/** On Ctrl-C the children get the signal too; remaining processes are found by their folder. */
async function interrupt() {
  if (interrupted) return;
  interrupted = true;
  console.error('\nInterrupted: stopping all parts.');
  await Promise.all(
    [...children].map((child) => {
      child.kill('SIGTERM');
      return new Promise((resolve) => child.once('close', resolve));
    }),
  );
  await removeFolders();
  process.exit(INTERRUPTED);
}
