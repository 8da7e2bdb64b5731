// The end of a test run: the printed summary, `test-results/summary.json`, and the record of flaky
// tests.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./test-report.mjs').Report} Report */
/** @typedef {import('./test-report.mjs').Failure} Failure */
/** @typedef {Report & { name: string, seconds: number, flaky: Failure[] }} Result of a part */
/** @typedef {{ head: string | null, clean: boolean }} Commit */

/**
 * @typedef {object} Run
 * @property {string} root of the project
 * @property {string} folder of the results
 * @property {string} suite
 * @property {string[]} filters
 * @property {Commit} commit at the start
 * @property {string} seed of the random inputs; TEST_SEED repeats them
 * @property {number} seconds
 * @property {Result[]} parts
 */

/**
 * @typedef {object} FlakyEntry
 * @property {string} at
 * @property {string | null} head
 * @property {string} node
 * @property {string} part
 * @property {string} test
 * @property {string} message
 */

const MAX_FAILURES_SHOWN = 20;
const SLOWEST_FILES = 20;
const FLAKY_FILE = 'flaky.json';

/**
 * @param {string} root
 * @returns {Commit} without a head outside of a git checkout; clean: no uncommitted change
 */
export function readCommit(root) {
  try {
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return { head: git('rev-parse', 'HEAD'), clean: git('status', '--porcelain') === '' };
  } catch {
    return { head: null, clean: false };
  }
}

/**
 * Prints the result, and writes it with the record of flaky tests.
 * @param {Run} run
 * @returns {number} the exit code
 */
export function summarise(run) {
  const { parts } = run;
  const counts = {
    passed: count(parts, 'passed'),
    failed: parts.reduce((sum, { failures }) => sum + failures.length, 0),
    skipped: count(parts, 'skipped'),
  };
  const commit = closeCommit(run);
  printSlowest(parts);
  printParts(parts);
  printFlaky(recordFlaky(run));
  printFailed(parts.flatMap(({ failures }) => failures));
  const { suite, filters, seed, seconds } = run;
  const summary = {
    ...commit,
    node: process.version,
    suite,
    filters,
    seed,
    ...counts,
    flaky: parts.flatMap(({ flaky }) => flaky.map(({ title }) => title)),
    seconds: Math.round(seconds),
    parts: parts.map(({ name, seconds: took }) => ({ name, seconds: Math.round(took) })),
  };
  writeFileSync(join(run.folder, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
  console.log(`\n${describeRun(summary)}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed > 0 ? 1 : 0;
}

/**
 * A commit during the run, or an edit, means that no commit was tested as a whole.
 * @param {Run} run
 * @returns {Commit}
 */
function closeCommit({ root, commit }) {
  const now = readCommit(root);
  return { head: commit.head, clean: commit.clean && now.clean && now.head === commit.head };
}

/** @param {Result[]} parts @param {'passed' | 'skipped'} field */
function count(parts, field) {
  return parts.flatMap(({ files }) => files).reduce((sum, file) => sum + file[field], 0);
}

/** @param {Result[]} parts */
function printSlowest(parts) {
  const slowest = parts.flatMap(({ files }) => files).sort((a, b) => b.ms - a.ms);
  if (slowest.length > 0) console.log('\nSlowest files');
  for (const { file, ms } of slowest.slice(0, SLOWEST_FILES))
    console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
}

/** @param {Result[]} parts */
function printParts(parts) {
  console.log('\nParts');
  for (const part of parts) {
    const { name, seconds, failures, flaky } = part;
    const counts = `${count([part], 'passed')} passed, ${failures.length} failed, ${count([part], 'skipped')} skipped`;
    console.log(
      `  ${failures.length > 0 ? 'FAIL' : 'ok  '}  ${name.padEnd(12)}${seconds.toFixed(0).padStart(5)} s   ${counts}${flaky.length > 0 ? `, ${flaky.length} flaky` : ''}`,
    );
  }
}

/**
 * Appends the flaky tests of this run to the record.
 * @param {Run} run
 * @returns {(FlakyEntry & { times: number })[]} times: how often the record has the test
 */
function recordFlaky({ folder, parts, commit: { head } }) {
  const at = new Date().toISOString();
  const entries = parts.flatMap(({ name: part, flaky }) =>
    flaky.map(({ title: test, message }) => ({ at, head, node: process.version, part, test, message })),
  );
  if (entries.length === 0) return [];
  const file = join(folder, FLAKY_FILE);
  /** @type {FlakyEntry[]} */
  const record = [...readRecord(file), ...entries];
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
  return entries.map((entry) => ({
    ...entry,
    times: record.filter(({ test }) => test === entry.test).length,
  }));
}

/** @param {string} file @returns {FlakyEntry[]} */
function readRecord(file) {
  if (!existsSync(file)) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

/** @param {(FlakyEntry & { times: number })[]} flaky */
function printFlaky(flaky) {
  if (flaky.length > 0) console.log('\nFlaky: failed, and passed when run again alone');
  for (const { test, message, times } of flaky) {
    const again = times > 1 ? ` (${times} times in test-results/${FLAKY_FILE}: repair or delete it)` : '';
    console.log(`\n  ${test}${again}\n${indent(message)}`);
  }
}

/** @param {Failure[]} failures */
function printFailed(failures) {
  if (failures.length > 0) console.log('\nFailed');
  for (const { title, message } of failures.slice(0, MAX_FAILURES_SHOWN))
    console.log(`\n  ${title}\n${indent(message)}`);
  if (failures.length > MAX_FAILURES_SHOWN)
    console.log(`\n  and ${failures.length - MAX_FAILURES_SHOWN} more`);
}

/** @param {string} message */
function indent(message) {
  return message.replace(/^/gm, '    ');
}

/** @typedef {Pick<Run, 'suite' | 'filters' | 'seed' | 'seconds'>} RunFacts */

/** @param {Commit & RunFacts & { node: string, failed: number }} run */
function describeRun({ head, clean, node, suite, filters, seed, failed, seconds }) {
  const tree =
    head === null ? 'These files' : `Commit ${head.slice(0, 8)}${clean ? '' : ' with uncommitted changes'}`;
  const what =
    filters.length > 0 ? `the tests "${filters.join(' ')}" of the ${suite} suite` : `the ${suite} suite`;
  return `${tree} ${failed > 0 ? 'failed' : 'passed'} ${what} on Node ${node.slice(1)} with TEST_SEED=${seed} in ${seconds} s.`;
}
