// What the lines of an acceptance script mean.

/**
 * @param {{ code: number, stdout: string, stderr: string }} run of one script
 * @returns {{ passed: number, skipped: number, failures: string[] }}
 */
export function judge({ code, stdout, stderr }) {
  const lines = stdout.split('\n');
  const startingWith = (/** @type {string} */ word) => lines.filter((line) => line.startsWith(`${word} `));
  const passed = startingWith('ok').length;
  const failed = startingWith('FAIL');
  const failures = [...failed];
  // A script that broke off says no sum, or another one.
  const sum = `${passed} passed, ${failed.length} failed`;
  if (!lines.includes(sum) || (code !== 0) !== failed.length > 0)
    failures.push(`FAIL it ended with code ${code} and without "${sum}" ${stderr.slice(0, 500)}`.trim());
  return { passed, skipped: startingWith('skip').length, failures };
}
