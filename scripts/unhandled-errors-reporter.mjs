// A reporter of Vitest that writes the errors outside of all tests, which its JSON report leaves out.
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
