import { describe, expect, it } from 'vitest';
import { canRetry, listFailedFiles, mergeRetry } from './retry-failures.mjs';

const failure = (title: string, file: string | null) => ({ title, message: `${title} failed`, file });
const counts = (file: string, passed: number, skipped = 0) => ({ file, ms: 1, passed, skipped });

const first = {
  failures: [
    failure('a › one', 'a.test.ts'),
    failure('b › two', 'b.test.ts'),
    failure('b › three', 'b.test.ts'),
  ],
  files: [counts('a.test.ts', 3), counts('b.test.ts', 0, 4), counts('c.test.ts', 9)],
};

describe('a second try', () => {
  it('runs each failed file once', () => {
    expect(canRetry([first])).toBe(true);
    expect(listFailedFiles(first)).toEqual(['a.test.ts', 'b.test.ts']);
  });

  it('does not take place after a failure outside of tests, or after more than twenty failed files', () => {
    const crash = { failures: [failure('outside a test', null)], files: [] };
    expect(canRetry([first, crash])).toBe(false);
    const many = Array.from({ length: 21 }, (_, index) => failure('x', `${index}.test.ts`));
    expect(canRetry([{ failures: many, files: [] }])).toBe(false);
    expect(canRetry([{ failures: [], files: [] }])).toBe(false);
  });

  it('turns what passes into flaky, and keeps what fails again', () => {
    const second = {
      failures: [failure('b › three', 'b.test.ts')],
      files: [counts('a.test.ts', 4), counts('b.test.ts', 5)],
    };
    expect(mergeRetry(first, second)).toEqual({
      failures: second.failures,
      flaky: [first.failures[0], first.failures[1]],
      files: [counts('a.test.ts', 4), counts('b.test.ts', 5), counts('c.test.ts', 9)],
    });
  });

  it('proves nothing by a file that did not run, could not load, or had an unhandled error', () => {
    const notRun = mergeRetry(first, { failures: [], files: [counts('a.test.ts', 4)] });
    expect(notRun.failures).toMatchObject([{ title: 'b.test.ts' }]);
    expect(notRun.flaky).toEqual([first.failures[0]]);
    const broken = { failures: [failure('b.test.ts', 'b.test.ts')], files: [counts('a.test.ts', 4)] };
    expect(mergeRetry(first, broken)).toMatchObject({
      failures: broken.failures,
      flaky: [{ title: 'a › one' }],
    });
    const unhandled = { failures: [failure('outside a test', null)], files: [counts('a.test.ts', 4)] };
    expect(mergeRetry(first, unhandled).failures).toContainEqual(unhandled.failures[0]);
  });
});
