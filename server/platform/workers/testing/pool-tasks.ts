import { setMaxListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { runInWorker } from '../cpu-pool';
import type * as fixture from '../cpu-pool.fixture.mjs';
import { setWorkerCaller } from '../worker-callers';

// Tasks of the worker pool, for both of its suites.

export const FILE = 'server/platform/workers/cpu-pool.fixture.mjs';
export const neverAborted = new AbortController().signal;

export const add = (a: number, b: number) =>
  runInWorker<typeof fixture.add>(FILE, 'add', { a, b }, { signal: neverAborted });

/** Starts endless tasks of three accounts; they end when the signal aborts. */
export function startEndless(
  name: 'waitForever' | 'loopForever',
  count: number,
  stop: AbortSignal,
): Promise<string>[] {
  setMaxListeners(0, stop);
  const signals = ['a', 'b', 'c'].map((accountId) => {
    const signal = AbortSignal.any([stop]);
    setMaxListeners(0, signal);
    setWorkerCaller(signal, { accountId, provisional: false, spentMs: 0 });
    return signal;
  });
  return Array.from({ length: count }, (_, at) =>
    runInWorker<typeof fixture.waitForever>(FILE, name, undefined, {
      signal: signals[at % signals.length] ?? stop,
      timeLimitMs: 60_000,
    }).catch(() => 'stopped'),
  );
}

export const raceWithTurn = (tasks: Promise<unknown>[]) => Promise.race([...tasks, turn('all still run')]);

/** Checks that a short task of another account runs while endless tasks occupy all places. */
export async function expectShortTaskRuns(
  name: 'waitForever' | 'loopForever',
  endless: number,
): Promise<void> {
  const stop = new AbortController();
  const tasks = startEndless(name, endless, stop.signal);
  expect(await add(20, 22)).toBe(42);
  expect(await raceWithTurn(tasks)).toBe('all still run');
  stop.abort(new Error('stop'));
  expect(new Set(await Promise.all(tasks))).toEqual(new Set(['stopped']));
}
