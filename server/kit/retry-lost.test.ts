import { expect, it } from 'vitest';
import { retryLost } from './retry-lost';

it('sends again after a failure, with what was lost, until it succeeds', async () => {
  const failures: unknown[] = [];
  const seen: unknown[] = [];
  const sent = await retryLost(
    async (lost) => {
      seen.push(lost?.error);
      if (seen.length < 3) throw `failure ${seen.length}`;
      return 'done';
    },
    { retryMs: 0, onError: (error) => failures.push(error) },
  );
  expect(sent).toBe('done');
  expect(seen).toEqual([undefined, 'failure 1', 'failure 2']);
  expect(failures).toEqual(['failure 1', 'failure 2']);
});

it('gives up with the last failure', async () => {
  let sends = 0;
  const sending = retryLost(async () => Promise.reject(++sends), { retryMs: 0 });
  await expect(sending).rejects.toBe(4);
  expect(sends).toBe(4);
});
