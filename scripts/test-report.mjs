// Reads the reports of Vitest and Playwright: counts, failed tests, and the duration of each file.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const MAX_LINES_PER_FAILURE = 12;
/** Stack lines of the test runner. */
const RUNNER_FRAME = /^\s+at .*(?:node_modules\/@?vitest|new Promise \(<anonymous>\))/;

/** Playwright blames the test that ran. */
const CRASHED_WORKER = 'worker process exited unexpectedly';
/** The annotation that e2e/support/fixtures.ts gives to the test. */
const UNHANDLED_ERROR = 'unhandled error';

/**
 * @typedef {object} Failure of a test, of a hook or of a whole file
 * @property {string} title
 * @property {string} message its first lines
 * @property {string | null} file the test file to run again; null for a failure outside of tests,
 *   such as an unhandled error or a crashed worker
 * @property {boolean} isTest false for a hook or a whole file
 */

/** @typedef {{ file: string, ms: number, passed: number, skipped: number }} TestFile */

/**
 * @typedef {object} Report
 * @property {Failure[]} failures
 * @property {TestFile[]} files
 * @property {Set<string>} passed titles of the tests that passed
 */

/** @typedef {{ title: string, stack: string, file?: string }} UnhandledError */

/**
 * @param {object} files
 * @param {string} files.report written by Vitest's JSON reporter
 * @param {string} files.unhandled written by unhandled-errors-reporter.mjs
 * @param {number} code the exit code of Vitest
 * @returns {Report}
 */
export function readVitestReport(files, code) {
  const report = readJson(files.report);
  if (!report) return brokenRun(`no report was written, exit code ${code}`);
  const failures = collectVitestFailures(report);
  /** @type {UnhandledError[] | null} */
  const errors = readJson(files.unhandled);
  if (!errors) return brokenRun(`the list of unhandled errors was not written, exit code ${code}`);
  for (const { title, stack, file } of errors) failures.push(describeFailure(title, stack, file));
  for (const file of listUnexplained(report, failures)) failures.push(describeFailure(file, '', file));
  if (isUnexplained(code, failures)) failures.push(describeFailure(`Vitest ended with exit code ${code}`));
  return { failures, files: report.testResults.map(countVitestFile), passed: listPassed(report) };
}

/**
 * @param {string} file written by Playwright's JSON reporter
 * @param {number} code the exit code of Playwright
 * @returns {Report}
 */
export function readPlaywrightReport(file, code) {
  const report = readJson(file);
  if (!report) return brokenRun(`no report was written, exit code ${code}`);
  const failures = collectPlaywrightFailures(report);
  if (isUnexplained(code, failures))
    failures.push(describeFailure(`Playwright ended with exit code ${code}`));
  const passed = listSpecs({ suites: report.suites })
    .filter(({ tests }) => tests.every((/** @type {any} */ test) => test.status === 'expected'))
    .map(titleSpec);
  return { failures, files: report.suites.map(countPlaywrightFile), passed: new Set(passed) };
}

/**
 * Both runners end with 1 after a failed test, and with more if something else ended them.
 * @param {number} code
 * @param {Failure[]} failures
 */
function isUnexplained(code, failures) {
  return code > 1 || (code === 1 && failures.length === 0);
}

/**
 * @param {any} report of Vitest
 * @param {Failure[]} failures
 * @returns {string[]} failed files without a failure, such as one whose hook threw no message
 */
function listUnexplained(report, failures) {
  return report.testResults
    .filter((/** @type {any} */ { status }) => status === 'failed')
    .map((/** @type {any} */ { name }) => relative(process.cwd(), name))
    .filter((/** @type {string} */ at) => !failures.some(({ file }) => file === at));
}

/** @param {any} report of Vitest @returns {Set<string>} */
function listPassed(report) {
  /** @type {string[]} */
  const titles = report.testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
    assertionResults
      .filter((/** @type {any} */ { status }) => status === 'passed')
      .map((/** @type {any} */ { fullName }) => `${relative(process.cwd(), name)} › ${fullName}`),
  );
  return new Set(titles);
}

/** @param {any} result of one file @returns {TestFile} */
function countVitestFile({ name, startTime, endTime, assertionResults }) {
  const passed = assertionResults.filter((/** @type {any} */ test) => test.status === 'passed').length;
  const failed = assertionResults.filter((/** @type {any} */ test) => test.status === 'failed').length;
  const skipped = assertionResults.length - passed - failed;
  return { file: relative(process.cwd(), name), ms: endTime - startTime, passed, skipped };
}

/**
 * @param {any} report
 * @returns {Failure[]}
 */
export function collectVitestFailures(report) {
  /** @type {Failure[]} */
  const failures = [];
  for (const file of report.testResults ?? []) {
    const at = relative(process.cwd(), file.name);
    const failed = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
    for (const test of failed)
      failures.push({
        ...describeFailure(`${at} › ${test.fullName}`, test.failureMessages.join('\n'), at),
        isTest: true,
      });
    // A file that cannot be loaded, or whose hooks fail, fails without a test.
    if (file.status === 'failed' && (file.message || file.assertionResults.length === 0))
      failures.push(describeFailure(at, file.message ?? '', at));
  }
  return failures;
}

/**
 * @param {any} report
 * @returns {Failure[]} a test that passed only on Playwright's own retry counts as failed
 */
export function collectPlaywrightFailures(report) {
  /** @type {Failure[]} */
  const failures = report.errors.map((/** @type {any} */ error) =>
    describeFailure('outside a test', error.message),
  );
  for (const spec of listSpecs(report))
    for (const { status, results, annotations } of spec.tests) {
      if (status !== 'unexpected' && status !== 'flaky') continue;
      const errors = results.flatMap((/** @type {any} */ result) => result.errors);
      const message = errors.map((/** @type {any} */ error) => error.message ?? '').join('\n');
      const file = `e2e/${spec.file}`;
      const isOutside =
        message.includes(CRASHED_WORKER) ||
        annotations?.some((/** @type {any} */ { type }) => type === UNHANDLED_ERROR);
      failures.push({
        ...describeFailure(titleSpec(spec), message, isOutside ? null : file),
        isTest: true,
      });
    }
  return failures;
}

/** @param {any} spec */
function titleSpec(spec) {
  return `e2e/${spec.file}:${spec.line} › ${spec.title}`;
}

/** @param {any} suite of one file @returns {TestFile} */
function countPlaywrightFile(suite) {
  const tests = listSpecs(suite).flatMap((spec) => spec.tests);
  const count = (/** @type {string} */ status) => tests.filter((test) => test.status === status).length;
  const ms = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0);
  return { file: `e2e/${suite.file}`, ms, passed: count('expected'), skipped: count('skipped') };
}

/**
 * @param {any} suite
 * @returns {any[]} its specs, at any depth
 */
function listSpecs(suite) {
  return [...(suite.suites ?? []).flatMap(listSpecs), ...(suite.specs ?? [])];
}

/**
 * @param {string} title
 * @param {string} [message]
 * @param {string | null} [file]
 * @returns {Failure}
 */
export function describeFailure(title, message = '', file = null) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() && !RUNNER_FRAME.test(line));
  return { title, message: lines.slice(0, MAX_LINES_PER_FAILURE).join('\n'), file, isTest: false };
}

/**
 * @param {string} failure
 * @returns {Report}
 */
function brokenRun(failure) {
  return { failures: [describeFailure(failure)], files: [], passed: new Set() };
}

/**
 * @param {string} file
 * @returns {any} null if there is none
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
