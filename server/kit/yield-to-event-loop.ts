import { setImmediate } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop of its own. One event may wake hundreds of waiters, each of
 * which writes up to 2 MiB of JSON; this serves other requests between them.
 */
export function yieldToEventLoop(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
