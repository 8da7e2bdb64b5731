import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failuresOfBrowser, failuresOfUnit } from './failures.mjs';

const at = (file: string) => join(process.cwd(), file);
const red = (text: string) => `\u001b[31m${text}\u001b[39m`;

describe('what failed', () => {
  it('is named with its file and the beginning of what was said', () => {
    const failed = {
      status: 'failed',
      fullName: 'money adds up',
      failureMessages: [red('expected 1\nto be 2')],
    };
    const passed = { status: 'passed', fullName: 'money', failureMessages: [] };
    const report = {
      testResults: [{ name: at('db/x.test.ts'), status: 'failed', assertionResults: [passed, failed] }],
    };
    expect(failuresOfUnit(report)).toEqual(['db/x.test.ts › money adds up\n    expected 1\n    to be 2']);
  });

  it('is the file where it could not be loaded', () => {
    const report = {
      testResults: [
        { name: at('db/y.test.ts'), status: 'failed', message: 'no such import', assertionResults: [] },
        { name: at('db/z.test.ts'), status: 'passed', message: '', assertionResults: [] },
      ],
    };
    expect(failuresOfUnit(report)).toEqual(['db/y.test.ts\n    no such import']);
  });

  it('is cut to what can be read', () => {
    const failureMessages = [Array.from({ length: 99 }, (_, line) => `line ${line}`).join('\n')];
    const assertionResults = Array.from({ length: 50 }, () => ({
      status: 'failed',
      fullName: 'x',
      failureMessages,
    }));
    const failures = failuresOfUnit({
      testResults: [{ name: at('a.test.ts'), status: 'failed', assertionResults }],
    });
    expect(failures).toHaveLength(20);
    expect(failures[0]?.split('\n')).toHaveLength(13);
  });

  it('is found in the browser’s suites at any depth, also where it passed the second time', () => {
    const spec = (title: string, status: string) => ({
      file: 'a.spec.ts',
      line: 7,
      title,
      tests: [{ status, results: [{ errors: [{ message: red('not visible') }] }, { errors: [] }] }],
    });
    const inner = { specs: [spec('well', 'expected'), spec('once', 'flaky')] };
    const report = {
      errors: [{ message: 'the gateway did not start' }],
      suites: [{ specs: [spec('wrong', 'unexpected'), spec('left out', 'skipped')], suites: [inner] }],
    };
    expect(failuresOfBrowser(report)).toEqual([
      'outside a test\n    the gateway did not start',
      'a.spec.ts:7 › once\n    not visible',
      'a.spec.ts:7 › wrong\n    not visible',
    ]);
  });
});
