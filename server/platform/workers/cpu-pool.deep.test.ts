import { describe, expect, it } from 'vitest';
import { measureLongestBlock } from '@/test/support/measure-block';
import { runInWorker } from './cpu-pool';
import type * as fixture from './cpu-pool.fixture.mjs';
import { add, expectShortTaskRuns, FILE, neverAborted } from './testing/pool-tasks';
import { setWorkerCaller } from './worker-callers';

describe('runInWorker', () => {
  it('does not block the main thread while an endless loop and a runaway regex are ended', async () => {
    await add(1, 1);
    const options = { signal: neverAborted, timeLimitMs: 400 };
    const runs = Promise.allSettled(
      ['loopForever', 'matchCatastrophically'].map((name) =>
        runInWorker<typeof fixture.matchCatastrophically>(FILE, name, undefined, options),
      ),
    );
    expect(await measureLongestBlock(() => runs)).toBeLessThan(250);
    for (const { status } of await runs) expect(status).toBe('rejected');
  });

  it('does not block the main thread while a function floods its listener', async () => {
    const stop = new AbortController();
    const lines: string[] = [];
    const run = runInWorker<typeof fixture.talkForever>(FILE, 'talkForever', null, {
      signal: stop.signal,
      timeLimitMs: 60_000,
      onLog: (line) => lines.push(line),
      onProgress: (millions) => millions >= 0.003 && stop.abort(new Error('heard enough')),
    }).catch((error: Error) => error.message);
    expect(await measureLongestBlock(() => run)).toBeLessThan(250);
    expect(await run).toBe('heard enough');
    expect(lines).toHaveLength(1_001);
  });

  it.each(['fillMemory', 'allocateAtOnce', 'fillNativeMemory'])('ends %s, not the process', async (name) => {
    const run = runInWorker<typeof fixture.fillMemory>(FILE, name, undefined, {
      signal: neverAborted,
      timeLimitMs: 100_000,
    });
    await expect(run).rejects.toThrow(/This needs more than (256|1024) MiB of memory/);
    expect(await add(1, 1)).toBe(2);
  });

  it('sends no report twice for a task that is restarted because there are too many long ones', async () => {
    const speak = async (_: unknown, at: number) => {
      const lines: string[] = [];
      const { signal } = new AbortController();
      // Each account has only a few slots: three accounts have more tasks than may be long.
      setWorkerCaller(signal, { accountId: `speaker ${at % 3}`, provisional: false, spentMs: 0 });
      const options = { signal, timeLimitMs: 60_000, onLog: (line: string) => lines.push(line) };
      await runInWorker<typeof fixture.talk>(FILE, 'talk', { lines: 1, ms: 700 }, options);
      return lines;
    };
    const heard = await Promise.all(Array.from({ length: 18 }, speak));
    expect(heard).toEqual(Array.from({ length: 18 }, () => ['line 1']));
  });

  it('runs a short task while all calls of one key are endless loops', () =>
    expectShortTaskRuns('loopForever', 5));

  it('runs a short task although there are more endless loops than slots', () =>
    expectShortTaskRuns('loopForever', 20));
});
