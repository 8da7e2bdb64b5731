import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
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
  it('reports a failed test with its file and the first lines of its message', () => {
    const long = Array.from({ length: 99 }, (_, line) => `line ${line}`).join('\n');
    const assertionResults = [
      { status: 'failed', fullName: 'money adds up', failureMessages: [red('expected 1\nto be 2')] },
      { status: 'failed', fullName: 'a long one', failureMessages: [long] },
      { status: 'passed', fullName: 'money', failureMessages: [] },
      { status: 'skipped', fullName: 'later', failureMessages: [] },
    ];
    const testResults = [
      { name: at('db/x.test.ts'), status: 'failed', assertionResults, startTime: 1_000, endTime: 3_500 },
    ];
    const report = readVitest({ testResults }, 1);
    expect(report.files).toEqual([{ file: 'db/x.test.ts', ms: 2_500, passed: 1, skipped: 1 }]);
    expect(report.failures[0]).toEqual({
      title: 'db/x.test.ts › money adds up',
      message: 'expected 1\nto be 2',
      file: 'db/x.test.ts',
      isTest: true,
    });
    expect(report.passed).toEqual(new Set(['db/x.test.ts › money']));
    expect(report.failures[1]?.message.split('\n')).toHaveLength(12);
  });

  it('counts a file that could not be loaded as one failure', () => {
    const testResults = [
      { name: at('db/y.test.ts'), status: 'failed', message: 'no such import', assertionResults: [] },
      { name: at('db/z.test.ts'), status: 'passed', message: '', assertionResults: [] },
    ];
    const file = 'db/y.test.ts';
    expect(readVitest({ testResults }, 1).failures).toEqual([
      { title: file, message: 'no such import', file, isTest: false },
    ]);
  });

  it('counts a failed file without any message as a failure, also next to others', () => {
    const skipped = [{ status: 'skipped', fullName: 'x', failureMessages: [] }];
    const failed = [{ status: 'failed', fullName: 'y', failureMessages: ['no'] }];
    const testResults = [
      { name: at('db/h.test.ts'), status: 'failed', message: '', assertionResults: skipped },
      { name: at('db/y.test.ts'), status: 'failed', message: '', assertionResults: failed },
    ];
    expect(readVitest({ testResults }, 1).failures).toMatchObject([
      { title: 'db/y.test.ts › y', isTest: true },
      { title: 'db/h.test.ts', isTest: false },
    ]);
    expect(readVitest({ testResults }, 137).failures.at(-1)).toMatchObject({ file: null });
  });

  it('reports errors of hooks and those outside of tests', () => {
    const assertionResults = [{ status: 'skipped', fullName: 'x', failureMessages: [] }];
    const file = 'db/h.test.ts';
    const testResults = [{ name: at(file), status: 'failed', message: 'No port', assertionResults }];
    const errors = [
      { title: `${file} › restart`, stack: 'Error: Timed out', file },
      { title: 'outside a test', stack: 'Error: write EPIPE\n    at x.ts:1' },
    ];
    expect(readVitest({ testResults }, 1, errors).failures).toMatchObject([
      { title: file, message: 'No port', file },
      { title: `${file} › restart`, message: 'Error: Timed out', file },
      { title: 'outside a test', message: 'Error: write EPIPE\n    at x.ts:1', file: null },
    ]);
  });

  it('counts as failed if the exit code is 1 without a failed test, or if a report is missing', () => {
    expect(readVitest({ testResults: [] }, 1).failures).toMatchObject([{ file: null }]);
    const missing = join(folder, 'none.json');
    expect(readVitestReport({ report: missing, unhandled: missing }, 0).failures).toMatchObject([
      { file: null },
    ]);
    const withoutErrors = { report: write({ testResults: [] }), unhandled: missing };
    expect(readVitestReport(withoutErrors, 0).failures).toMatchObject([{ file: null }]);
    expect(readVitest({ testResults: [] }, 0).failures).toEqual([]);
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
    const report = readPlaywrightReport(
      write({ errors: [{ message: 'the gateway did not start' }], suites: [suite] }),
      1,
    );
    expect(report.failures).toMatchObject([
      { title: 'outside a test', message: 'the gateway did not start', file: null },
      { title: 'e2e/a.spec.ts:7 › once', message: 'not visible', file: 'e2e/a.spec.ts' },
      { title: 'e2e/a.spec.ts:7 › wrong', message: 'not visible', file: 'e2e/a.spec.ts' },
    ]);
    expect(report.files).toEqual([{ file: 'e2e/a.spec.ts', ms: 100, passed: 1, skipped: 1 }]);
    expect(report.passed).toEqual(new Set(['e2e/a.spec.ts:7 › well']));
  });

  it('gives a crash of a worker and an unhandled error no file to run again', () => {
    const unhandled = spec('leaks', 'unexpected');
    Object.assign(unhandled.tests[0] ?? {}, { annotations: [{ type: 'unhandled error' }] });
    const crash = spec('crashes', 'unexpected');
    const message = 'Error: worker process exited unexpectedly (code=null, signal=SIGSEGV)';
    crash.tests[0]?.results.splice(0, 2, { duration: 1, errors: [{ message }] });
    const report = readPlaywrightReport(
      write({ errors: [], suites: [{ file: 'a.spec.ts', specs: [crash, unhandled] }] }),
      1,
    );
    expect(report.failures).toMatchObject([
      { title: 'e2e/a.spec.ts:7 › crashes', file: null },
      { title: 'e2e/a.spec.ts:7 › leaks', file: null },
    ]);
  });

  it('counts as failed if the exit code is 1 without a failed test', () => {
    expect(readPlaywrightReport(write({ errors: [], suites: [] }), 1).failures).toMatchObject([
      { file: null },
    ]);
  });
});
