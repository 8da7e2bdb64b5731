import { expect, it } from 'vitest';
import { resolveWithin } from './resolve-within';

const never = new Promise<string>(() => {});

it('resolves or rejects with the promise, and to null once the time is over', async () => {
  await expect(resolveWithin(Promise.resolve('done'), 600_000)).resolves.toBe('done');
  await expect(resolveWithin(Promise.reject('failed'), 600_000)).rejects.toBe('failed');
  await expect(resolveWithin(never, 0)).resolves.toBeNull();
});

it('without a limit waits for the promise itself', async () => {
  const done = Promise.resolve('done');
  expect(resolveWithin(done, null)).toBe(done);
});
