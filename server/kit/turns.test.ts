import { expect, it } from 'vitest';
import { Turns } from './turns';

it('runs a few at a time, in their order, also after one that failed', async () => {
  const turns = new Turns(2);
  const started: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const works = Array.from({ length: 5 }, (_, n) =>
    turns.run(
      () =>
        new Promise<number>((resolve, reject) => {
          started.push(n);
          ends[n] = (error) => (error ? reject(error) : resolve(n));
        }),
    ),
  );
  await expect.poll(() => started).toEqual([0, 1]);
  ends[1]?.(new Error('failed'));
  await expect(works[1]).rejects.toThrow('failed');
  await expect.poll(() => started).toEqual([0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  await expect.poll(() => started).toEqual([0, 1, 2, 3, 4]);
  ends[3]?.();
  ends[4]?.();
  expect(await Promise.all([works[0], works[2], works[3], works[4]])).toEqual([0, 2, 3, 4]);
});
