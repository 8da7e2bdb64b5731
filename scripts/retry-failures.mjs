// The rule of the second try: a test file with a failure runs once more, with one worker and at the
// end. A test that passes then is flaky; all else is red. A failure outside of tests stays red.

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
  const flaky = first.failures.filter((failure) => hasPassed(failure, first, second));
  const failed = new Set(second.failures.map(({ title }) => title));
  const unproven = first.failures
    .filter((failure) => !flaky.includes(failure) && !failed.has(failure.title))
    .map((failure) => ({ ...failure, message: `Did not pass in the second try.\n${failure.message}` }));
  const again = new Map(second.files.map((file) => [file.file, file]));
  return {
    failures: [...second.failures, ...unproven],
    flaky,
    files: first.files.map((file) => again.get(file.file) ?? file),
    passed: new Set([...first.passed, ...second.passed]),
  };
}

/**
 * @param {Failure} failure of the first try
 * @param {Report} first
 * @param {Report} second
 */
function hasPassed({ title, file, isTest }, first, second) {
  if (isTest) return second.passed.has(title) && !second.failures.some((failure) => failure.title === title);
  // A hook or a whole file: no test of it may fail or be left out.
  const before = first.files.find((each) => each.file === file);
  const after = second.files.find((each) => each.file === file);
  if (!after?.passed || second.failures.some((failure) => failure.file === file)) return false;
  return after.skipped <= (before?.skipped ?? 0);
}
