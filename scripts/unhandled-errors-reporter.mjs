// A Vitest reporter that writes the errors that the JSON report omits: of hooks, and those outside
// of all tests.
import { writeFileSync } from 'node:fs';

export default class UnhandledErrorsReporter {
  /** @type {import('./test-report.mjs').UnhandledError[]} */
  #errors = [];

  /** @param {import('vitest/node').TestSuite} suite */
  onTestSuiteResult(suite) {
    const file = suite.module.relativeModuleId;
    const title = `${file} › ${suite.fullName}`;
    for (const error of suite.errors()) this.#errors.push({ title, stack: describe(error), file });
  }

  /**
   * @param {unknown} _modules
   * @param {readonly import('vitest').SerializedError[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const file = process.env.UNHANDLED_ERRORS_FILE;
    if (!file) return;
    const outside = errors.map((error) => ({ title: 'outside a test', stack: describe(error) }));
    writeFileSync(file, JSON.stringify([...this.#errors, ...outside]));
  }
}

/** @param {import('vitest').SerializedError} error */
function describe(error) {
  return error.stack ?? error.message;
}
