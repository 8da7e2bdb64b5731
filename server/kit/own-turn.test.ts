import { expect, it } from 'vitest';
import { longestBlock } from '../testing/longest-block';
import { ownTurn } from './own-turn';

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
  const block = await longestBlock(() =>
    Promise.all(Array.from({ length: 100 }, () => ownTurn().then(work))),
  );
  running = false;
  expect(turns).toBeGreaterThanOrEqual(100);
  // Together they compute for 300 ms.
  expect(block).toBeLessThan(150);
});
