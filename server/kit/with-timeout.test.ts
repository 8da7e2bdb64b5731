import { expect, it } from 'vitest';
import { withTimeout } from './with-timeout';

const never = new Promise<never>(() => undefined);
const fail = (message: string) => () => {
  throw new Error(message);
};

it('returns the result, or the error, of work within its time limit', async () => {
  expect(await withTimeout(Promise.resolve('late'), 60_000, fail('too late'))).toBe('late');
  await expect(withTimeout(Promise.reject(new Error('refused')), 60_000, () => 1)).rejects.toThrow('refused');
});

it('gives the result or error for late work, whose own error is not unhandled', async () => {
  expect(await withTimeout(never, 1, () => null)).toBeNull();
  let end = () => {};
  const work = new Promise<never>((_, reject) => {
    end = () => reject(new Error('at last'));
  });
  await expect(withTimeout(work, 1, fail('too late'))).rejects.toThrow('too late');
  end();
  await new Promise(setImmediate);
});
