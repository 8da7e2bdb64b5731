import { expect, it } from 'vitest';
import { measureLongestBlock } from '@/test/support/measure-block';
import { yieldToEventLoop } from './yield-to-event-loop';

it('gives a hundred waiters that are woken together separate turns of the event loop', async () => {
  const work = () => {
    const end = performance.now() + 3;
    while (performance.now() < end);
  };
  let turns = 0;
  let running = true;
  const count = () => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const block = await measureLongestBlock(() =>
    Promise.all(Array.from({ length: 100 }, () => yieldToEventLoop().then(work))),
  );
  running = false;
  expect(turns).toBeGreaterThanOrEqual(100);
  // Together they compute for 300 ms.
  expect(block).toBeLessThan(150);
});
