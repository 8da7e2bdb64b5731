import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * Makes every `setTimeout` of `node:timers/promises` resolve at once, until the test ends.
 * @param onPause called instead of waiting, for example to advance the test's clock
 * @returns the requested lengths in milliseconds; grows with each pause
 */
export function skipPauses(onPause: (ms: number) => void = () => undefined): number[] {
  const pauses: number[] = [];
  const pause = timers.setTimeout;
  const spy = vi.spyOn(timers, 'setTimeout').mockImplementation((ms, value, options) => {
    pauses.push(ms ?? 0);
    onPause(ms ?? 0);
    return pause(0, value, options);
  });
  // Named imports of a built-in module are copies and must be synced.
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return pauses;
}

/** Prevents timers of exactly this length from firing, until the test ends. */
export function holdTimers(lengthMs: number): void {
  const start = globalThis.setTimeout;
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms, ...args) => {
    const timer = start(run, ms, ...args);
    if (ms === lengthMs) clearTimeout(timer);
    return timer;
  });
  onTestFinished(() => spy.mockRestore());
}

/** Length of a shortened timer, long enough for the limited work to start. */
const SHORTENED_MS = 100;

/**
 * Shortens timers of exactly this length, until the test ends, so that a time limit passes early.
 * @param from the first such timer to shorten, counted from 1
 */
export function shortenTimers(lengthMs: number, from = 1): void {
  const start = globalThis.setTimeout;
  let started = 0;
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms, ...args) => {
    if (ms === lengthMs) started += 1;
    return start(run, ms === lengthMs && started >= from ? SHORTENED_MS : ms, ...args);
  });
  onTestFinished(() => spy.mockRestore());
}
