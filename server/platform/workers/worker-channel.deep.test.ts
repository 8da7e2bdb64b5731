import { describe, expect, it } from 'vitest';
import {
  expectFirstEndCounts,
  expectNoMemoryTaken,
  expectRefusedFrames,
  expectStrayErrorContained,
  expectTooDeep,
  expectUnexpectedEnd,
  HOSTILE_FRAMES,
  run,
} from './testing/hostile-worker';

it.each([1_004, 3_000, 100_000])('a result nested %i levels deep fails its call', expectTooDeep);

describe('a worker that breaks the protocol fails only its own call', () => {
  it.each(Object.entries(HOSTILE_FRAMES))('%s', (_, texts) => expectRefusedFrames(texts));

  it('a second end, in five processes', async () => {
    for (let round = 0; round < 5; round += 1) await expectFirstEndCounts();
  });

  it.each(['00', 'ff', '20', '0000000520'])('endless bytes %s, which take no memory', (hex) =>
    expectNoMemoryTaken(run('writeForever', { hex })),
  );

  it('a frame of 200,000 single bytes that never ends', () =>
    expectNoMemoryTaken(run('drip', { announced: 2 * 1024 * 1024, sent: 200_000 }, { timeLimitMs: 5_000 })));
});

it.each([
  ['SIGSEGV', 0],
  ['SIGKILL', 0],
  [null, 0],
  [null, 1],
])('a process that ends by %s, code %i, says no memory was the cause', expectUnexpectedEnd);

describe('an error that nothing in the worker awaits', () => {
  it.each([1, 5, 20, 100])('fails no other call %i ms after its task @F17', expectStrayErrorContained);

  it('fails none of the others among 40 tasks of which half leave one @F17', async () => {
    const tasks = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? run('reject', { afterMs: at + 1, hidden: true }) : run('stay', { ms: 20 }),
    );
    for (const task of await Promise.allSettled(tasks)) expect(task).toMatchObject({ status: 'fulfilled' });
  });
});
