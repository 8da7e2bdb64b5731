// The rule of the second try: a test file with a failure runs once more, alone and at the end. What
// passes then is flaky, what fails again is red. A failure outside of tests stays red.

/** @typedef {import('./test-report.mjs').Report} Report */
/** @typedef {import('./test-report.mjs').Failure} Failure */

/** More than this is not bad luck. */
const MAX_RETRIED_FILES = 20;

/**
 * @param {readonly Report[]} reports of all parts
 * @returns {boolean} whether a second try can make the run pass
 */
export function canRetry(reports) {
  const failures = reports.flatMap((report) => report.failures);
  if (failures.length === 0 || failures.some(({ file }) => file === null)) return false;
  return new Set(failures.map(({ file }) => file)).size <= MAX_RETRIED_FILES;
}

/**
 * @param {Report} report
 * @returns {string[]} the files to run again
 */
export function listFailedFiles({ failures }) {
  return [...new Set(failures.flatMap(({ file }) => (file === null ? [] : [file])))];
}

/**
 * Replaces the results of the files that ran again.
 * @param {Report} first
 * @param {Report} second of a run of `listFailedFiles(first)`
 * @returns {Report & { flaky: Failure[] }} flaky: the first failure of each test that passed then
 */
export function mergeRetry(first, second) {
  const files = listFailedFiles(first);
  const again = new Map(second.files.map((file) => [file.file, file]));
  /** @type {Failure[]} */
  const unproven = files
    .filter((file) => !again.get(file)?.passed && !second.failures.some((failure) => failure.file === file))
    .map((file) => ({ title: file, message: 'The second try ran no test of this file.', file }));
  const failures = [...second.failures, ...unproven];
  const failed = new Set(failures.flatMap(({ title, file }) => [title, ...(file === title ? [file] : [])]));
  const flaky = first.failures.filter(({ title, file }) => !failed.has(title) && !failed.has(file ?? ''));
  return { failures, flaky, files: first.files.map((file) => again.get(file.file) ?? file) };
}
