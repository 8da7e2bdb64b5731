import { spawnSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { getPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SkillError } from '../../core/errors/skill-error';
import { setWorkerNiceness } from '../confinement/run-nice';
import { getComputeBudget, refundCompute } from './compute-spending';
import { closeWorkers, runInWorker } from './cpu-pool';
import type * as fixture from './cpu-pool.fixture.mjs';
import { add, FILE, neverAborted, raceWithTurn, startEndless } from './testing/pool-tasks';
import { setWorkerCaller } from './worker-callers';
import type { WorkerProcesses } from './worker-processes';

const pool = () =>
  (globalThis as { __toolGatewayCpuPool?: { processes: WorkerProcesses } }).__toolGatewayCpuPool;

/** How many workers of the pool are idle. */
const readyWorkers = () => pool()?.processes.ready ?? 0;

describe('runInWorker', () => {
  it('returns the result of the function', async () => {
    expect(await add(2, 3)).toBe(5);
  });

  it('rejects with the error of the function', async () => {
    const run = runInWorker<typeof fixture.fail>(FILE, 'fail', undefined, { signal: neverAborted });
    await expect(run).rejects.toThrow('on purpose');
  });

  it('stops an endless loop and a runaway regex at the time limit', async () => {
    await add(1, 1);
    const runs = Promise.allSettled(
      ['loopForever', 'matchCatastrophically'].map((name) =>
        runInWorker<typeof fixture.matchCatastrophically>(FILE, name, undefined, {
          signal: neverAborted,
          timeLimitMs: 400,
        }),
      ),
    );
    for (const run of await runs) expect(run.status === 'rejected' && run.reason).toBeInstanceOf(SkillError);
    expect(await add(1, 2)).toBe(3);
  });

  it('kills the worker at once when the call is aborted, and rejects with the reason', async () => {
    const controller = new AbortController();
    const run = runInWorker<typeof fixture.loopForever>(FILE, 'loopForever', undefined, {
      signal: controller.signal,
    });
    void setTimeout(100).then(() => controller.abort(new Error('cancelled')));
    await expect(run).rejects.toThrow('cancelled');
    expect(await add(4, 5)).toBe(9);
  });

  it('ends a task that uses too much memory, not the gateway @C5', async () => {
    const options = { signal: neverAborted, timeLimitMs: 100_000 };
    const run = runInWorker<typeof fixture.fillNativeMemory>(FILE, 'fillNativeMemory', undefined, options);
    await expect(run).rejects.toThrow('This needs more than 1024 MiB of memory');
    expect(await add(1, 1)).toBe(2);
  });

  it('gives no task to a process that an earlier task left with a lot of memory', async () => {
    const leak = (mib: number) =>
      runInWorker<typeof fixture.leak>(FILE, 'leak', { mib }, { signal: neverAborted });
    const [first, second, third] = [await leak(1), await leak(600), await leak(600)];
    expect(second).toBe(first);
    expect(third).not.toBe(second);
  });

  describe('an isolated task', () => {
    const signalOf = (accountId: string) => {
      const { signal } = new AbortController();
      setWorkerCaller(signal, { accountId, provisional: false, spentMs: 0 });
      return signal;
    };
    const findProcess = (accountId: string, isolated: boolean) =>
      runInWorker<typeof fixture.leak>(FILE, 'leak', { mib: 1 }, { signal: signalOf(accountId), isolated });

    it('runs in a process that later serves only its account', async () => {
      const first = await findProcess('acct_1', true);
      expect(await findProcess('acct_1', true)).toBe(first);
      expect(await findProcess('acct_2', true)).not.toBe(first);
      expect(await findProcess('acct_1', false)).not.toBe(first);
      expect(await add(1, 1)).toBe(2);
      expect(await findProcess('acct_1', true)).toBe(first);
    });

    it('leaves few idle processes behind, and none for work of the gateway', async () => {
      const ids = await Promise.all(
        Array.from({ length: 6 }, (_, at) => findProcess(`acct_idle_${at}`, true)),
      );
      const again: string[] = [];
      for (let at = 0; at < 6; at += 1) again.push(await findProcess(`acct_idle_${at}`, true));
      expect(again.filter((id) => ids.includes(id)).length).toBeLessThanOrEqual(4);
      const options = { signal: neverAborted, isolated: true };
      const run = () => runInWorker<typeof fixture.leak>(FILE, 'leak', { mib: 1 }, options);
      expect(await run()).not.toBe(await run());
    });
  });

  it("starts another account's short task at once while two accounts flood the pool with sleeping or endless tasks @F7", async () => {
    const stop = new AbortController();
    const floods = ['sleeper', 'computer'].flatMap((accountId) => {
      const signal = AbortSignal.any([stop.signal]);
      setMaxListeners(0, signal, stop.signal);
      setWorkerCaller(signal, { accountId, provisional: false, spentMs: 0 });
      const name = accountId === 'sleeper' ? 'sleepLong' : 'waitForever';
      return Array.from({ length: 50 }, () =>
        runInWorker<typeof fixture.sleepLong>(FILE, name, undefined, { signal, timeLimitMs: 60_000 }).catch(
          () => 'stopped',
        ),
      );
    });
    const mine = new AbortController().signal;
    setWorkerCaller(mine, { accountId: 'mine', provisional: false, spentMs: 0 });
    for (let turnOf = 0; turnOf < 5; turnOf += 1)
      expect(await runInWorker<typeof fixture.add>(FILE, 'add', { a: 1, b: turnOf }, { signal: mine })).toBe(
        1 + turnOf,
      );
    expect(await raceWithTurn(floods), 'none of 100 had ended').toBe('all still run');
    stop.abort(new Error('stop'));
    await Promise.all(floods);
  });

  it("counts computing of an unpaid call against its account's budget, and refunds it once the call is paid @F7", async () => {
    const caller = { accountId: 'counted', provisional: false, spentMs: 0 };
    const { signal } = new AbortController();
    setWorkerCaller(signal, caller);
    vi.useFakeTimers({ toFake: ['performance'] });
    // The line arrives while its slot is still held.
    const onLog = () => vi.advanceTimersByTime(200);
    await runInWorker<typeof fixture.talk>(FILE, 'talk', { lines: 1, ms: 0 }, { signal, onLog });
    expect(caller.spentMs).toBe(200);
    const budget = getComputeBudget();
    budget.spend('counted', 59_900);
    expect(budget.isExceeded('counted')).toBe(true);
    refundCompute(caller);
    expect(budget.isExceeded('counted')).toBe(false);
    vi.useRealTimers();
  });

  it('refuses a result that the gateway would take long to parse', async () => {
    const run = runInWorker<typeof fixture.makeList>(
      FILE,
      'makeList',
      { length: 200_000 },
      { signal: neverAborted },
    );
    await expect(run).rejects.toThrow(
      /The result has more than 2 MiB, 100,000 values or 5,000 different field names/,
    );
    const symbol = runInWorker<typeof fixture.makeSymbol>(FILE, 'makeSymbol', undefined, {
      signal: neverAborted,
    });
    await expect(symbol).rejects.toThrow('A symbol is not JSON');
  });

  it("keeps a spare worker ready, and runs tasks below the gateway's priority", async () => {
    closeWorkers();
    setWorkerNiceness(15);
    onTestFinished(() => {
      setWorkerNiceness(0);
      closeWorkers();
    });
    await add(1, 1);
    const stop = new AbortController();
    const loops = startEndless('waitForever', 2, stop.signal);
    await expect.poll(readyWorkers, { timeout: 60_000 }).toBe(1);
    const askedAt = Date.now();
    const { startedAt, priority } = await runInWorker<typeof fixture.describeProcess>(
      FILE,
      'describeProcess',
      undefined,
      { signal: neverAborted },
    );
    expect(startedAt, 'no process was started for it').toBeLessThan(askedAt);
    expect(priority).toBeGreaterThan(getPriority());
    expect(await raceWithTurn(loops)).toBe('all still run');
    stop.abort(new Error('stop'));
    await Promise.all(loops);
  });

  it('passes on reports of a function while it runs, and none after its end', async () => {
    const heard: unknown[] = [];
    const stop = new AbortController();
    const speaking = runInWorker<typeof fixture.talk>(
      FILE,
      'talk',
      { lines: 3, ms: 60_000 },
      {
        signal: stop.signal,
        timeLimitMs: 90_000,
        onLog: (line) => heard.push(line),
        onProgress: (share) => heard.push(share),
      },
    );
    await vi.waitFor(() => expect(heard).toEqual(['line 1', 1 / 3, 'line 2', 'line 3']), 60_000);
    stop.abort(new Error('heard enough'));
    await expect(speaking).rejects.toThrow('heard enough');

    const said: string[] = [];
    const options = { signal: neverAborted, onLog: (line: string) => said.push(line) };
    for (let turn = 0; turn < 3; turn += 1)
      await runInWorker<typeof fixture.talk>(FILE, 'talk', { lines: 1, ms: 0 }, options);
    expect(said).toEqual(['line 1', 'line 1', 'line 1']);
  });

  it('limits how much a function can report', async () => {
    const said: string[] = [];
    const stop = new AbortController();
    let tried = 0;
    const run = runInWorker<typeof fixture.talkForever>(FILE, 'talkForever', null, {
      signal: stop.signal,
      timeLimitMs: 60_000,
      onLog: (line) => said.push(line),
      onProgress: (millions) => {
        tried = millions * 1e6;
        if (tried >= 3_000) stop.abort(new Error('heard enough'));
      },
    });
    await expect(run).rejects.toThrow('heard enough');
    expect(said).toHaveLength(1_001);
    expect(said.every((line) => line.length <= 2_000)).toBe(true);
  });

  it('gives a worker none of our environment variables', async () => {
    const run = runInWorker<typeof fixture.environmentNames>(FILE, 'environmentNames', undefined, {
      signal: neverAborted,
    });
    expect(await run).toEqual(['HOME', 'NODE_ENV']);
  });

  it('ends a busy worker when its gateway is killed', async () => {
    const gateway = `
      const child = require('node:child_process').spawn(process.execPath,
        ['server/platform/workers/cpu-worker.mjs', String(process.pid), '1024'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
      const task = { file: require('node:path').resolve('${FILE}'), name: 'loopForever', hasBytes: false };
      const frame = Buffer.from('    ' + JSON.stringify({ task }));
      frame.writeUInt32BE(frame.length - 4);
      child.stdio[3].write(frame);
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
    await vi.waitUntil(() => !isAlive(), { timeout: 60_000 });
  });
});
