import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ComputeLimit } from './compute-limit';
import { readWaitsMs } from './processor-waits';

const THREAD = 7;

describe('the computing limit', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Milliseconds after which a task with this share of a processor is ended. */
  function findEnd(share: number, limitMs: number): number {
    const startedAt = performance.now();
    const waitedBefore = 500;
    const readWaits = () =>
      new Map([
        [THREAD, waitedBefore + (performance.now() - startedAt) * (1 - share)],
        // A thread that never waits for a processor adds nothing.
        [THREAD + 1, 0],
      ]);
    let endedAt: number | undefined;
    const onPassed = () => {
      endedAt = performance.now();
    };
    const limit = new ComputeLimit(1, limitMs, onPassed, readWaits);
    vi.advanceTimersByTime(limitMs * 100);
    limit.stop();
    if (endedAt === undefined) throw new Error('The task was never ended');
    return endedAt - startedAt;
  }

  it('ends a task at the limit if it has a processor all the time', () => {
    expect(findEnd(1, 3_000)).toBe(3_000);
  });

  it('does not count the time in which other processes had the processors', () => {
    const ended = findEnd(0.25, 3_000);
    expect(ended).toBeGreaterThan(11_500);
    expect(ended).toBeLessThanOrEqual(12_000);
  });

  it('ends a task that gets no processor at twenty times the limit', () => {
    expect(findEnd(0, 3_000)).toBeCloseTo(60_000, -2);
  });

  it('ends nothing once it is stopped', () => {
    const onPassed = vi.fn();
    new ComputeLimit(1, 100, onPassed, () => new Map()).stop();
    vi.advanceTimersByTime(10_000);
    expect(onPassed).not.toHaveBeenCalled();
  });
});

describe('the processor waits of threads', () => {
  it.runIf(process.platform === 'linux')('are read for a process and its children', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log("ready")']);
    await once(child.stdout, 'data');
    const waits = readWaitsMs(process.pid);
    expect(waits.get(process.pid)).toBeGreaterThan(0);
    expect(waits.has(child.pid ?? 0)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readWaitsMs(child.pid ?? 0).size).toBe(0);
  });
});
