import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { closeWorkers, runInWorker } from './cpu-pool';
import type * as fixture from './cpu-pool.fixture.mjs';
import { SkillError } from './define-tool';

const FILE = 'server/tools/cpu-pool.fixture.mjs';
const never = new AbortController().signal;

const add = (a: number, b: number) =>
  runInWorker<typeof fixture.add>(FILE, 'add', { a, b }, { signal: never });

afterAll(closeWorkers);

/** The longest the event loop stood still while `work` ran, in milliseconds. */
async function longestBlock(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  await work.catch(() => undefined);
  clearInterval(timer);
  return longest;
}

describe('runInWorker', () => {
  it('gives back what the function returns', async () => {
    expect(await add(2, 3)).toBe(5);
  });

  it('passes on what the function throws', async () => {
    const run = runInWorker<typeof fixture.fail>(FILE, 'fail', undefined, { signal: never });
    await expect(run).rejects.toThrow('as told');
  });

  it('stops an endless loop and a runaway regex at the time limit, without blocking the main thread', async () => {
    await add(1, 1);
    const runs = Promise.allSettled(
      ['loopForever', 'matchCatastrophically'].map((name) =>
        runInWorker<typeof fixture.matchCatastrophically>(FILE, name, undefined, {
          signal: never,
          timeLimitMs: 400,
        }),
      ),
    );
    expect(await longestBlock(runs)).toBeLessThan(250);
    for (const run of await runs) {
      expect(run.status === 'rejected' && run.reason).toBeInstanceOf(SkillError);
    }
    expect(await add(1, 2)).toBe(3);
  });

  it('kills the worker at once when the call is aborted, and rejects with the reason', async () => {
    const controller = new AbortController();
    const run = runInWorker<typeof fixture.loopForever>(FILE, 'loopForever', undefined, {
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(new Error('cancelled')), 100);
    await expect(run).rejects.toThrow('cancelled');
    expect(await add(4, 5)).toBe(9);
  });

  it('ends a task that eats memory, not the process', async () => {
    for (const name of ['fillMemory', 'allocateAtOnce']) {
      const run = runInWorker<typeof fixture.fillMemory>(FILE, name, undefined, { signal: never });
      // On a busy machine the time may end before the memory.
      await expect(run).rejects.toThrow(/This needs more than (256 MiB of memory|10 s)/);
    }
    expect(await add(1, 1)).toBe(2);
  });

  it('lets tasks wait in order, and takes an aborted one out of the queue', async () => {
    const blockers = new AbortController();
    const loops = Array.from({ length: 8 }, () =>
      runInWorker<typeof fixture.loopForever>(FILE, 'loopForever', undefined, {
        signal: blockers.signal,
      }).catch(() => 'stopped'),
    );
    const impatient = new AbortController();
    const left = runInWorker<typeof fixture.add>(FILE, 'add', { a: 1, b: 1 }, { signal: impatient.signal });
    const stays = add(20, 22);
    impatient.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    blockers.abort(new Error('stop'));
    expect(await stays).toBe(42);
    expect(new Set(await Promise.all(loops))).toEqual(new Set(['stopped']));
  });

  it('shows a worker no environment of ours', async () => {
    const run = runInWorker<typeof fixture.environmentNames>(FILE, 'environmentNames', undefined, {
      signal: never,
    });
    expect(await run).toEqual(['NODE_ENV']);
  });

  it('ends a busy worker whose gateway was killed', async () => {
    const gateway = `
      const child = require('node:child_process').fork('server/tools/cpu-worker.mjs', [String(process.pid)],
        { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      child.send({ file: require('node:path').resolve('${FILE}'), name: 'loopForever' });
      process.stdout.write(String(child.pid), () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300));`;
    const { stdout } = spawnSync(process.execPath, ['-e', gateway], { encoding: 'utf8' });
    const isAlive = () => {
      try {
        return process.kill(Number(stdout), 0);
      } catch {
        return false;
      }
    };
    expect(Number(stdout)).toBeGreaterThan(1);
    await vi.waitUntil(() => !isAlive(), { timeout: 10_000 });
  });
});
