// Reads the reports of Vitest and Playwright: counts, failed tests, and the duration of each file.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const MAX_LINES_PER_FAILURE = 12;
/** Stack lines of the test runner. */
const RUNNER_FRAME = /^\s+at .*(?:node_modules\/@?vitest|new Promise \(<anonymous>\))/;

/**
 * @typedef {object} Report
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures per failed test or file: place, title, first lines of the message
 * @property {{ file: string, ms: number }[]} files
 */

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
  for (const { title, stack } of readJson(files.unhandled) ?? [])
    failures.push(describeFailure(title, stack));
  if (code !== 0 && failures.length === 0) failures.push(`Vitest ended with exit code ${code}`);
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
    files: report.testResults.map((/** @type {any} */ { name, startTime, endTime }) => ({
      file: relative(process.cwd(), name),
      ms: endTime - startTime,
    })),
  };
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
  if (code !== 0 && failures.length === 0) failures.push(`Playwright ended with exit code ${code}`);
  const { expected: passed, skipped } = report.stats;
  const files = report.suites.map((/** @type {any} */ suite) => ({
    file: `e2e/${suite.file}`,
    ms: sumDurations(suite),
  }));
  return { passed, failed: failures.length, skipped, failures, files };
}

/**
 * @param {any} report
 * @returns {string[]}
 */
export function collectVitestFailures(report) {
  /** @type {string[]} */
  const failures = [];
  for (const file of report.testResults ?? []) {
    const at = relative(process.cwd(), file.name);
    const failed = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
    for (const test of failed)
      failures.push(describeFailure(`${at} › ${test.fullName}`, test.failureMessages.join('\n')));
    // A file that cannot be loaded fails without a test; one whose hook failed skips its tests.
    if (file.status === 'failed' && file.assertionResults.length === 0)
      failures.push(describeFailure(at, file.message ?? ''));
  }
  return failures;
}

/**
 * @param {any} report
 * @returns {string[]} a test that passed only on a retry counts as failed
 */
export function collectPlaywrightFailures(report) {
  const failures = report.errors.map((/** @type {any} */ error) =>
    describeFailure('outside a test', error.message),
  );
  for (const spec of listSpecs(report))
    for (const { status, results } of spec.tests) {
      if (status !== 'unexpected' && status !== 'flaky') continue;
      const errors = results.flatMap((/** @type {any} */ result) => result.errors);
      const message = errors.map((/** @type {any} */ error) => error.message ?? '').join('\n');
      failures.push(describeFailure(`e2e/${spec.file}:${spec.line} › ${spec.title}`, message));
    }
  return failures;
}

/**
 * @param {any} suite
 * @returns {any[]} its specs, at any depth
 */
function listSpecs(suite) {
  return [...(suite.suites ?? []).flatMap(listSpecs), ...(suite.specs ?? [])];
}

/** @param {any} suite */
function sumDurations(suite) {
  const results = listSpecs(suite).flatMap(({ tests }) => tests.flatMap((/** @type {any} */ t) => t.results));
  return results.reduce((sum, { duration }) => sum + duration, 0);
}

/**
 * @param {string} title
 * @param {string} message
 */
function describeFailure(title, message) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() && !RUNNER_FRAME.test(line));
  return [title, ...lines.slice(0, MAX_LINES_PER_FAILURE).map((line) => `    ${line}`)].join('\n');
}

/**
 * @param {string} failure
 * @returns {Report}
 */
function brokenRun(failure) {
  return { passed: 0, failed: 1, skipped: 0, failures: [failure], files: [] };
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
