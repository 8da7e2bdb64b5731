// A Vitest reporter that writes errors outside of all tests, which the JSON report omits.
import { writeFileSync } from 'node:fs';

export default class UnhandledErrorsReporter {
  /**
   * @param {unknown} _modules
   * @param {readonly import('vitest').SerializedError[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const file = process.env.UNHANDLED_ERRORS_FILE;
    if (!file) return;
    writeFileSync(file, JSON.stringify(errors.map((error) => error.stack ?? error.message)));
  }
}
