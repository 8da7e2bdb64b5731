import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * Ends every pause of `node:timers/promises` at once, until the test ends.
 * @param onPause called instead of waiting: it can move the test's clock
 * @returns the length that each pause asked for, in milliseconds
 */
export function skipPauses(onPause: (ms: number) => void = () => undefined): number[] {
  const pauses: number[] = [];
  const pause = timers.setTimeout;
  const spy = vi.spyOn(timers, 'setTimeout').mockImplementation((ms, value, options) => {
    pauses.push(ms ?? 0);
    onPause(ms ?? 0);
    return pause(0, value, options);
  });
  // Named imports of a built-in module are copies.
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return pauses;
}

/** Keeps timers of exactly this length from firing, until the test ends. */
export function holdTimers(lengthMs: number): void {
  const start = globalThis.setTimeout;
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms, ...args) => {
    const timer = start(run, ms, ...args);
    if (ms === lengthMs) clearTimeout(timer);
    return timer;
  });
  onTestFinished(() => spy.mockRestore());
}

/** What a shortened timer takes: enough for the work under its limit to be in progress. */
const SHORTENED_MS = 100;

/**
 * Lets a time limit pass early, until the test ends: shortens timers of exactly this length.
 * @param from the first of them to shorten, counted from 1: those before it keep their length
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
