import { describe, expect, it } from 'vitest';
import { canRetry, listFailedFiles, mergeRetry } from './retry-failures.mjs';

const failure = (title: string, file: string | null, isTest = true) => ({
  title,
  message: `${title} failed`,
  file,
  isTest,
});
const counts = (file: string, passed: number, skipped = 0) => ({ file, ms: 1, passed, skipped });

const first = {
  failures: [
    failure('a › one', 'a.test.ts'),
    failure('b › two', 'b.test.ts'),
    failure('b › three', 'b.test.ts'),
  ],
  files: [counts('a.test.ts', 3), counts('b.test.ts', 2), counts('c.test.ts', 9)],
  passed: new Set(['a › zero']),
};
const hook = {
  failures: [failure('h.test.ts', 'h.test.ts', false)],
  files: [counts('h.test.ts', 0, 4)],
  passed: new Set<string>(),
};

describe('a second try', () => {
  it('runs each failed file once', () => {
    expect(canRetry([first])).toBe(true);
    expect(listFailedFiles(first)).toEqual(['a.test.ts', 'b.test.ts']);
  });

  it('does not take place after a failure outside of tests, or after more than twenty failed files', () => {
    const crash = { ...first, failures: [failure('outside a test', null, false)] };
    expect(canRetry([first, crash])).toBe(false);
    const many = Array.from({ length: 21 }, (_, index) => failure('x', `${index}.test.ts`));
    expect(canRetry([{ ...first, failures: many }])).toBe(false);
    expect(canRetry([{ ...first, failures: [] }])).toBe(false);
  });

  it('turns what passes into flaky, and keeps what fails again', () => {
    const second = {
      failures: [failure('b › three', 'b.test.ts')],
      files: [counts('a.test.ts', 4), counts('b.test.ts', 3)],
      passed: new Set(['a › one', 'b › two']),
    };
    const { failures, flaky, files } = mergeRetry(first, second);
    expect(failures).toEqual(second.failures);
    expect(flaky).toEqual([first.failures[0], first.failures[1]]);
    expect(files).toEqual([counts('a.test.ts', 4), counts('b.test.ts', 3), counts('c.test.ts', 9)]);
  });

  it('proves nothing for a test that did not run in it, although others of its file passed', () => {
    const second = {
      failures: [],
      files: [counts('a.test.ts', 3, 1), counts('b.test.ts', 4)],
      passed: new Set(['b › two', 'b › three']),
    };
    const { failures, flaky } = mergeRetry(first, second);
    expect(failures).toMatchObject([{ title: 'a › one', message: expect.stringContaining('second try') }]);
    expect(flaky).toEqual([first.failures[1], first.failures[2]]);
  });

  it('proves a hook or a whole file only if its tests pass and none is left out', () => {
    const passed = new Set(['h › x']);
    const good = { failures: [], files: [counts('h.test.ts', 4)], passed };
    expect(mergeRetry(hook, good)).toMatchObject({ failures: [], flaky: hook.failures });
    for (const second of [
      { ...good, files: [] },
      { ...good, files: [counts('h.test.ts', 0, 4)] },
      { ...good, files: [counts('h.test.ts', 1, 5)] },
      { ...good, failures: [failure('h › y', 'h.test.ts')] },
    ])
      expect(mergeRetry(hook, second).failures).toContainEqual(
        expect.objectContaining({ title: 'h.test.ts' }),
      );
  });

  it('keeps an unhandled error of its own', () => {
    const outside = failure('outside a test', null, false);
    const second = { failures: [outside], files: first.files, passed: new Set(['a › one']) };
    expect(mergeRetry(first, second).failures).toContainEqual(outside);
  });
});
