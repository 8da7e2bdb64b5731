import { expect, it } from 'vitest';
import { LargeReads } from './large-reads';

const LARGE = 300 * 1024;

it('a key reads large results thirty times a minute, and all others without limit', () => {
  let seconds = 0;
  const reads = new LargeReads(() => seconds);
  const read = (job: string, bytes: number, key = 'key') => {
    reads.assertAllowed(key, job);
    reads.count(key, job, bytes);
  };
  for (let times = 0; times < 30; times++) read('large', LARGE);
  expect(() => read('large', LARGE)).toThrow('30 times within a minute');
  for (let times = 0; times < 100; times++) read('small', 1_000);
  read('large', LARGE, 'another');
  // Its size is not known before it is read.
  read('large too', LARGE);
  expect(() => read('large too', LARGE)).toThrow();
  seconds = 60;
  read('large', LARGE);
});
