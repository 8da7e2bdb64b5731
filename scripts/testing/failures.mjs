// What failed, named again under the summary: thousands of lines above it, nobody finds it, and a log may be cut there.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const LINES_OF_A_FAILURE = 12;
const FAILURES_TOLD = 20;

/**
 * @param {any} report what Vitest's JSON reporter wrote
 * @returns {string[]} a failed test or file each: where, its name, the first lines of what was said
 */
export function failuresOfUnit(report) {
  /** @type {string[]} */
  const failures = [];
  for (const file of report.testResults ?? []) {
    const at = relative(process.cwd(), file.name);
    const failed = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
    for (const test of failed)
      failures.push(tellFailure(`${at} › ${test.fullName}`, test.failureMessages.join('\n')));
    if (file.status === 'failed' && failed.length === 0) failures.push(tellFailure(at, file.message ?? ''));
  }
  return failures.slice(0, FAILURES_TOLD);
}

/**
 * @param {any} report what Playwright's JSON reporter wrote
 * @returns {string[]} as for the unit tests; what failed once and passed then too
 */
export function failuresOfBrowser(report) {
  const failures = report.errors.map((/** @type {any} */ error) =>
    tellFailure('outside a test', error.message),
  );
  for (const suite of report.suites) collectSpecs(suite, failures);
  return failures.slice(0, FAILURES_TOLD);
}

/** @param {any} suite @param {string[]} failures */
function collectSpecs(suite, failures) {
  for (const inner of suite.suites ?? []) collectSpecs(inner, failures);
  for (const spec of suite.specs ?? []) {
    for (const test of spec.tests) {
      if (test.status !== 'unexpected' && test.status !== 'flaky') continue;
      const errors = test.results.flatMap((/** @type {any} */ result) => result.errors);
      const said = errors.map((/** @type {any} */ error) => error.message ?? '').join('\n');
      failures.push(tellFailure(`${spec.file}:${spec.line} › ${spec.title}`, said));
    }
  }
}

/** @param {string} name @param {string} said */
function tellFailure(name, said) {
  const lines = stripVTControlCharacters(said)
    .split('\n')
    .filter((line) => line.trim());
  return [name, ...lines.slice(0, LINES_OF_A_FAILURE).map((line) => `    ${line}`)].join('\n');
}
