import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/server/testing/temporary-folder';
import { readPlaywrightReport, readVitestReport } from './test-report.mjs';

const at = (file: string) => join(process.cwd(), file);
const red = (text: string) => `\u001b[31m${text}\u001b[39m`;

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => await removeFolder(folder));

function write(report: object, name = 'report.json'): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const readVitest = (report: object, code: number, errors: object[] = []) =>
  readVitestReport({ report: write(report), unhandled: write(errors, 'unhandled.json') }, code);

describe("Vitest's report", () => {
  const counts = { numPassedTests: 3, numPendingTests: 1, numTodoTests: 0 };

  it('reports a failed test with its file and the first lines of its message', () => {
    const long = Array.from({ length: 99 }, (_, line) => `line ${line}`).join('\n');
    const assertionResults = [
      { status: 'failed', fullName: 'money adds up', failureMessages: [red('expected 1\nto be 2')] },
      { status: 'failed', fullName: 'a long one', failureMessages: [long] },
      { status: 'passed', fullName: 'money', failureMessages: [] },
    ];
    const testResults = [
      { name: at('db/x.test.ts'), status: 'failed', assertionResults, startTime: 1_000, endTime: 3_500 },
    ];
    const report = readVitest({ ...counts, testResults }, 1);
    expect(report).toMatchObject({ passed: 3, failed: 2, skipped: 1 });
    expect(report.files).toEqual([{ file: 'db/x.test.ts', ms: 2_500 }]);
    expect(report.failures[0]).toBe('db/x.test.ts › money adds up\n    expected 1\n    to be 2');
    expect(report.failures[1]?.split('\n')).toHaveLength(13);
  });

  it('counts a file that could not be loaded as one failure', () => {
    const testResults = [
      { name: at('db/y.test.ts'), status: 'failed', message: 'no such import', assertionResults: [] },
      { name: at('db/z.test.ts'), status: 'passed', message: '', assertionResults: [] },
    ];
    const report = readVitest({ ...counts, testResults }, 1);
    expect(report).toMatchObject({ failed: 1, failures: ['db/y.test.ts\n    no such import'] });
  });

  it('reports errors of hooks and those outside of tests', () => {
    const skipped = [{ status: 'skipped', fullName: 'x', failureMessages: [] }];
    const testResults = [{ name: at('db/h.test.ts'), status: 'failed', assertionResults: skipped }];
    const errors = [
      { title: 'db/h.test.ts › restart', stack: 'Error: Timed out' },
      { title: 'outside a test', stack: 'Error: write EPIPE\n    at x.ts:1' },
    ];
    expect(readVitest({ ...counts, testResults }, 1, errors).failures).toEqual([
      'db/h.test.ts › restart\n    Error: Timed out',
      'outside a test\n    Error: write EPIPE\n        at x.ts:1',
    ]);
  });

  it('counts as failed if the exit code is 1 without a failed test, or if there is no report', () => {
    expect(readVitest({ ...counts, testResults: [] }, 1).failed).toBe(1);
    const missing = join(folder, 'none.json');
    expect(readVitestReport({ report: missing, unhandled: missing }, 0).failed).toBe(1);
    expect(readVitest({ ...counts, testResults: [] }, 0).failed).toBe(0);
  });
});

describe("Playwright's report", () => {
  const spec = (title: string, status: string) => ({
    file: 'a.spec.ts',
    line: 7,
    title,
    tests: [
      {
        status,
        results: [
          { duration: 20, errors: [{ message: red('not visible') }] },
          { duration: 5, errors: [] },
        ],
      },
    ],
  });

  it('reports failed tests at any depth, also those that passed on a retry', () => {
    const inner = { specs: [spec('well', 'expected'), spec('once', 'flaky')] };
    const suite = {
      file: 'a.spec.ts',
      specs: [spec('wrong', 'unexpected'), spec('left out', 'skipped')],
      suites: [inner],
    };
    const stats = { expected: 1, skipped: 1 };
    const report = readPlaywrightReport(
      write({ stats, errors: [{ message: 'the gateway did not start' }], suites: [suite] }),
      1,
    );
    expect(report.failures).toEqual([
      'outside a test\n    the gateway did not start',
      'e2e/a.spec.ts:7 › once\n    not visible',
      'e2e/a.spec.ts:7 › wrong\n    not visible',
    ]);
    expect(report).toMatchObject({
      passed: 1,
      failed: 3,
      skipped: 1,
      files: [{ file: 'e2e/a.spec.ts', ms: 100 }],
    });
  });

  it('counts as failed if the exit code is 1 without a failed test', () => {
    const stats = { expected: 1, skipped: 0 };
    expect(readPlaywrightReport(write({ stats, errors: [], suites: [] }), 1).failed).toBe(1);
  });
});
