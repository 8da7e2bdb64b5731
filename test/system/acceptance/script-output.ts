interface ScriptRun {
  code: number;
  stdout: string;
  stderr: string;
}

interface ScriptResult {
  passed: number;
  skipped: number;
  failures: string[];
}

const SHOWN_STDERR_CHARS = 500;

/** Parses the output of an acceptance script: `ok`, `FAIL` and `skip` lines, then a summary. */
export function parseScriptOutput({ code, stdout, stderr }: ScriptRun): ScriptResult {
  const lines = stdout.split('\n');
  const withPrefix = (word: string) => lines.filter((line) => line.startsWith(`${word} `));
  const passed = withPrefix('ok').length;
  const failed = withPrefix('FAIL');
  const failures = [...failed];
  // The summary of a crashed script is missing or does not match its lines.
  const sum = `${passed} passed, ${failed.length} failed`;
  if (!lines.includes(sum) || (code !== 0) !== failed.length > 0)
    failures.push(
      `FAIL it exited with code ${code}, without "${sum}" ${stderr.slice(0, SHOWN_STDERR_CHARS)}`.trim(),
    );
  return { passed, skipped: withPrefix('skip').length, failures };
}
